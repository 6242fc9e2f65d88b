package io.cuzk.gpu.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jumps, calls, barriers and what the lanes of a warp do together. */
final class ControlGoldenTest {
  private static final String LANES =
      """
        .reg .u64 %out, %offset, %a;
        .reg .b32 %t, %v, %r<6>;
        .reg .pred %p, %q;
        ld.param.u64 %out, [out];
        mov.u32 %t, %tid.x;
        mul.wide.u32 %offset, %t, 8;
        add.u64 %a, %out, %offset;
        mul.lo.u32 %v, %t, 10;
      """;

  static final String PTX =
      Rig.HEAD
          + """
          .visible .func (.param .b32 result) twice(.param .b32 x);
          .visible .func (.param .b32 result) twice(.param .b32 x)
          {
            .reg .b32 %r<3>;
            ld.param.b32 %r1, [x];
            add.u32 %r2, %r1, %r1;
            st.param.b32 [result], %r2;
            ret;
          }
          .func (.param .align 16 .b8 result[16]) mixed(
            .param .align 8 .b8 pair[16], .param .b32 by)
          {
            .local .align 8 .b8 depot[16];
            .reg .b64 %d<6>;
            .reg .b32 %r<4>;
            ld.param.v2.b64 {%d1, %d2}, [pair];
            ld.param.b32 %r1, [by];
            st.local.u32 [depot+8], %r1;
            {
              .reg .b32 temp;
              .param .b32 arg;
              st.param.b32 [arg], %r1;
              .param .b32 back;
              call.uni (back), twice, (arg);
              ld.param.b32 temp, [back];
              mov.u32 %r2, temp;
            }
            ld.local.u32 %r3, [depot+8];
            mad.wide.u32 %d3, %r2, %r3, %d1;
            st.param.v2.b64 [result], {%d2, %d3};
            ret;
          }
          .visible .entry calls(.param .u64 out)
          {
            .reg .u64 %out, %d<6>;
            .reg .b32 %t;
            ld.param.u64 %out, [out];
            mov.u32 %t, %tid.x;
            mul.wide.u32 %d1, %t, 16;
            add.u64 %out, %out, %d1;
            {
              .param .align 8 .b8 param0[16];
              .param .b32 param1;
              .param .align 16 .b8 retval0[16];
              st.param.b64 [param0], 1000;
              st.param.b64 [param0+8], %d1;
              st.param.b32 [param1], %t;
              call (retval0), mixed, (param0, param1);
              ld.param.v2.b64 {%d2, %d3}, [retval0];
            }
            st.global.v2.u64 [%out], {%d2, %d3};
            ret;
          }

          .visible .entry jumps(.param .u64 out)
          {
            .reg .u64 %out, %offset;
            .reg .b32 %t, %sum, %k;
            .reg .pred %p;
            ld.param.u64 %out, [out];
            mov.u32 %t, %tid.x;
            mul.wide.u32 %offset, %t, 4;
            add.u64 %out, %out, %offset;
            mov.u32 %sum, 0;
            mov.u32 %k, %t;
          loop:
            setp.eq.u32 %p, %k, 0;
            @%p bra done;
            add.u32 %sum, %sum, %k;
            sub.u32 %k, %k, 1;
            bra.uni loop;
          done:
            and.b32 %k, %t, 3;
            targets: .branchtargets one, two, three;
            setp.lt.u32 %p, %k, 3;
            @!%p bra other;
            brx.idx %k, targets;
          one:
            add.u32 %sum, %sum, 1000;
            bra store;
          two:
            add.u32 %sum, %sum, 2000;
            bra store;
          three:
            add.u32 %sum, %sum, 3000;
            bra store;
          other:
            setp.gt.u32 %p, %t, 60;
            @%p exit;
          store:
            st.global.u32 [%out], %sum;
            setp.eq.u32 %p, %t, 4000;
            @%p trap;
            ret;
          }
          """
          + shuffles()
          + """
          .visible .entry votes(.param .u64 out)
          {
          """
          + LANES
          + """
            setp.lt.u32 %p, %t, 5;
            vote.sync.ballot.b32 %r0, %p, -1;
            vote.sync.any.pred %q, %p, -1;
            selp.u32 %r1, 1, 0, %q;
            vote.sync.all.pred %q, %p, -1;
            selp.u32 %r2, 1, 0, %q;
            vote.sync.uni.pred %q, !%p, -1;
            selp.u32 %r3, 1, 0, %q;
            shl.b32 %r1, %r1, 2;
            shl.b32 %r2, %r2, 1;
            or.b32 %r1, %r1, %r2;
            or.b32 %r1, %r1, %r3;
            st.global.v2.u32 [%a], {%r0, %r1};
            ret;
          }

          .visible .entry barriers(.param .u64 out)
          {
            .shared .align 4 .b8 cells[512];
          """
          + LANES
          + """
            shl.b32 %r0, %t, 2;
            mov.u32 %r1, cells;
            add.u32 %r2, %r1, %r0;
            st.shared.u32 [%r2], %v;
            barrier.sync 0;
            sub.u32 %r3, 508, %r0;
            add.u32 %r3, %r1, %r3;
            ld.shared.u32 %r4, [%r3];
            bar.sync 0;
            st.shared.u32 [%r2], %r4;
            bar.warp.sync -1;
            xor.b32 %r0, %r0, 4;
            add.u32 %r2, %r1, %r0;
            ld.shared.u32 %r5, [%r2];
            st.global.v2.u32 [%a], {%r4, %r5};
            ret;
          }

          .visible .entry registers(.param .u64 out)
          {
            .reg .u64 %out, %offset;
            .reg .b32 %r<9>;
            ld.param.u64 %out, [out];
            mov.u32 %r0, %ctaid.x;
            mov.u32 %r1, %ntid.x;
            mov.u32 %r2, %tid.x;
            mad.lo.u32 %r3, %r0, %r1, %r2;
            mul.wide.u32 %offset, %r3, 16;
            add.u64 %out, %out, %offset;
            mov.u32 %r4, %laneid;
            mov.u32 %r5, %lanemask_lt;
            mov.u32 %r6, %nctaid.x;
            mov.u32 %r7, %warpid;
            mov.u32 %r8, %lanemask_ge;
            add.u32 %r5, %r5, %r8;
            st.global.v4.u32 [%out], {%r4, %r5, %r6, %r7};
            ret;
          }
          """;

  private static String shuffles() {
    StringBuilder text = new StringBuilder();
    for (String form :
        new String[] {"up 3 0", "down 3 31", "bfly 5 31", "idx 9 31", "idx 3 6175"}) {
      String[] part = form.split(" ");
      text.append(".visible .entry shuffle_%s_%s(.param .u64 out)\n{\n".formatted(part[0], part[2]))
          .append(LANES)
          .append(
              """
                shfl.sync.%s.b32 %%r0|%%p, %%v, %s, %s, 0xffffffff;
                selp.u32 %%r1, 1, 0, %%p;
                st.global.v2.u32 [%%a], {%%r0, %%r1};
                ret;
              }
              """
                  .formatted(part[0], part[1], part[2]));
    }
    return text.toString();
  }

  private static int[] run(String kernel, int threads) {
    Rig rig = new Rig(PTX);
    long out = rig.put(new int[2 * threads]);
    rig.launch(kernel, 1, threads, 0, out);
    return rig.ints(out, 2 * threads);
  }

  @Test
  void callsPassParametersDownAndResultsBack() {
    Rig rig = new Rig(PTX);
    long out = rig.put(new long[64]);
    rig.launch("calls", 1, 32, 0, out);
    long[] found = rig.longs(out, 64);
    for (int t = 0; t < 32; t++) {
      assertThat(found[2 * t]).isEqualTo(16L * t);
      assertThat(found[2 * t + 1]).isEqualTo(1000L + 2L * t * t);
    }
  }

  @Test
  void everyThreadTakesItsOwnWay() {
    int[] found = run("jumps", 64);
    for (int t = 0; t < 64; t++) {
      int sum = t * (t + 1) / 2;
      int expected = (t & 3) < 3 ? sum + 1000 * ((t & 3) + 1) : t > 60 ? 0 : sum;
      assertThat(found[t]).as("thread %d", t).isEqualTo(expected);
    }
  }

  @Test
  void aTrapIsAFault() {
    String text = PTX.replace("%t, 4000;", "%t, 5;");
    Rig rig = new Rig(text);
    long out = rig.put(new int[128]);
    assertThatThrownBy(() -> rig.launch("jumps", 1, 64, 0, out))
        .isInstanceOfSatisfying(
            SimulatedFault.class, e -> assertThat(e.kind()).isEqualTo(SimulatedFault.Kind.TRAP))
        .hasMessageContaining("thread 5 of block 0");
  }

  /** Expected from the manual: lanes outside the segment keep their own value. */
  @ParameterizedTest
  @CsvSource({"up, 3, 0", "down, 3, 31", "bfly, 5, 31", "idx, 9, 31", "idx, 3, 6175"})
  void lanesExchangeValues(String mode, int by, int control) {
    int[] found = run("shuffle_%s_%d".formatted(mode, control), 64);
    for (int t = 0; t < 64; t++) {
      int lane = t & 31;
      int width = control >> 8 == 0 ? 32 : 8;
      int source =
          switch (mode) {
            case "up" -> lane - by;
            case "down" -> lane + by;
            case "bfly" -> lane ^ by;
            default -> lane / width * width + by;
          };
      boolean inside = source >= 0 && source < 32;
      int from = (t & ~31) + (inside ? source : lane);
      assertThat(found[2 * t]).as("thread %d", t).isEqualTo(10 * from);
      assertThat(found[2 * t + 1]).as("thread %d", t).isEqualTo(inside ? 1 : 0);
    }
  }

  @Test
  void lanesVote() {
    int[] found = run("votes", 64);
    for (int t = 0; t < 64; t++) {
      assertThat(found[2 * t]).isEqualTo(t < 32 ? 31 : 0);
      // any, all, and whether all lanes agree
      assertThat(found[2 * t + 1]).isEqualTo(t < 32 ? 4 : 1);
    }
  }

  @Test
  void barriersOrderSharedMemory() {
    int[] found = run("barriers", 128);
    for (int t = 0; t < 128; t++) {
      assertThat(found[2 * t]).isEqualTo(10 * (127 - t));
      assertThat(found[2 * t + 1]).isEqualTo(10 * (127 - (t ^ 1)));
    }
  }

  @Test
  void threadsKnowWhereTheyAre() {
    Rig rig = new Rig(PTX);
    long out = rig.put(new int[4 * 3 * 64]);
    rig.launch("registers", 3, 64, 0, out);
    int[] expected =
        IntStream.range(0, 192).flatMap(t -> IntStream.of(t & 31, -1, 3, (t & 63) >> 5)).toArray();
    assertThat(rig.ints(out, 4 * 192)).isEqualTo(expected);
  }
}
