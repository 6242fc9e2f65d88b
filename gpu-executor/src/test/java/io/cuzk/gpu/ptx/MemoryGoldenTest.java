package io.cuzk.gpu.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads, stores and atomic updates of every width and address space. */
final class MemoryGoldenTest {
  static final String PTX =
      Rig.HEAD
          + """
          .const .align 4 .b8 table[16] = {1, 2, 3, 4, 0, 0, 0, 128, 255, 255, 255, 255};
          .const .align 8 .u64 wide = 0x123456789abcdef0;
          .global .align 8 .u32 counter[2] = {41, 0};
          .extern .shared .align 16 .b8 dynamic[];

          .visible .entry widths(.param .u64 in, .param .u64 out)
          {
            .reg .u64 %in, %out, %d<10>;
            .reg .b16 %h<8>;
            .reg .b32 %r<8>;
            ld.param.u64 %in, [in];
            ld.param.u64 %out, [out];
            ld.global.u8 %h0, [%in+1];
            cvt.u64.u16 %d0, %h0;
            ld.global.s8 %r0, [%in+3];
            cvt.s64.s32 %d1, %r0;
            ld.global.u16 %r1, [%in+2];
            cvt.u64.u32 %d2, %r1;
            ld.global.nc.s16 %d3, [%in+6];
            ld.global.L1::no_allocate.u32 %d4, [%in+4];
            ld.global.s32 %d5, [%in+4];
            ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%in+8];
            cvt.u64.u16 %d6, %h4;
            ld.global.v2.u16 {%h5, %h6}, [%in+12];
            cvt.u64.u16 %d7, %h6;
            ld.global.v4.b32 {%r2, _, %r3, %r4}, [%in+16];
            mov.b64 %d8, {%r3, %r4};
            st.global.v2.u64 [%out], {%d0, %d1};
            st.global.v2.u64 [%out+16], {%d2, %d3};
            st.global.u64 [%out+32], %d4;
            st.global.u64 [%out+40], %d5;
            st.global.u64 [%out+48], %d6;
            st.global.u64 [%out+56], %d7;
            st.global.u64 [%out+64], %d8;
            st.global.u8 [%out+72], %h2;
            st.global.u8 [%out+73], 7;
            st.global.v2.u8 [%out+74], {%h1, %h3};
            st.global.u16 [%out+76], %h5;
            st.global.s16 [%out+78], -2;
            st.volatile.global.u32 [%out+80], %r2;
            st.global.v4.u32 [%out+96], {%r4, %r3, %r2, 5};
            ld.volatile.global.u32 %r5, [%out+80];
            st.global.u32 [%out+84], %r5;
            ret;
          }

          .visible .entry spaces(.param .u64 out, .param .align 8 .b8 pair[8])
          {
            .local .align 8 .b8 depot[32];
            .shared .align 4 .b8 fixed[16];
            .reg .u64 %out, %g, %s, %l, %c, %d<6>;
            .reg .b32 %r<6>, %sa;
            ld.param.u64 %out, [out];
            cvta.to.global.u64 %out, %out;
            mov.u64 %l, depot;
            st.local.u32 [%l+4], 17;
            cvta.local.u64 %d0, %l;
            ld.u32 %r0, [%d0+4];
            st.u32 [%d0+8], 18;
            cvta.to.local.u64 %d1, %d0;
            ld.local.u32 %r1, [%d1+8];
            mov.u64 %s, dynamic;
            st.shared.u64 [%s+8], 19;
            cvta.shared.u64 %d2, %s;
            ld.u64 %d3, [%d2+8];
            mov.u32 %sa, fixed;
            st.shared.u32 [%sa+12], 20;
            ld.shared.u32 %r2, [fixed+12];
            mov.u64 %c, table;
            ld.const.u32 %r3, [%c+4];
            cvta.const.u64 %c, %c;
            ld.u32 %r4, [%c+8];
            ld.const.u64 %d4, [wide];
            ld.param.u32 %r5, [pair+4];
            cvta.global.u64 %g, %out;
            st.u32 [%g], %r0;
            st.u32 [%g+4], %r1;
            st.global.u64 [%out+8], %d3;
            st.global.u32 [%out+16], %r2;
            st.global.u32 [%out+20], %r3;
            st.global.u32 [%out+24], %r4;
            st.global.u32 [%out+28], %r5;
            st.global.u64 [%out+32], %d4;
            ld.global.u32 %r0, [counter];
            add.u32 %r0, %r0, 1;
            st.global.u32 [counter], %r0;
            st.global.u32 [%out+40], %r0;
            membar.gl;
            fence.acq_rel.gpu;
            ret;
          }
          """
          + atomics("u32", 4)
          + atomics("s32", 4)
          + atomics("u64", 8)
          + atomics("s64", 8);

  /** One word for each operation; every thread gives its own operand to all. */
  private static String atomics(String type, int bytes) {
    boolean wide = bytes == 8;
    String any = wide ? "b64" : "b32";
    StringBuilder body = new StringBuilder();
    String[] operations = {"add", "min", "max", "and", "or", "xor", "exch", "cas"};
    for (int k = 0; k < operations.length; k++) {
      // There is no signed sum of 64 bits: the unsigned one is the same.
      String kind = k >= 3 ? any : k == 0 && wide ? "u64" : type;
      body.append(
          "atom.global.%s.%s %%old, [%%to+%d], %s%%x;\n"
              .formatted(operations[k], kind, k * bytes, k == 7 ? "%same, " : ""));
      if (k < 6) {
        body.append(
            "red.global.%s.%s [%%to+%d], %%x;\n".formatted(operations[k], kind, (8 + k) * bytes));
      }
    }
    if (type.equals("u32")) {
      body.append("atom.global.inc.u32 %old, [%to+56], 5;\nred.global.inc.u32 [%to+56], 5;\n");
      body.append("atom.shared.add.u32 %old, [cell], 3;\natom.global.dec.u32 %old, [%to+60], 5;\n");
    }
    return """
    .visible .entry atomics_%s(.param .u64 in, .param .u64 out)
    {
      .shared .align 4 .u32 cell;
      .reg .u64 %%from, %%to, %%offset;
      .reg .b32 %%t;
      .reg .%s %%x, %%old, %%same;
      .reg .pred %%p;
      ld.param.u64 %%from, [in];
      ld.param.u64 %%to, [out];
      mov.u32 %%t, %%tid.x;
      mul.wide.u32 %%offset, %%t, %d;
      add.u64 %%from, %%from, %%offset;
      ld.global.%s %%x, [%%from];
      mov.b%d %%same, 77;
      setp.eq.u32 %%p, %%t, 0;
      @%%p st.shared.u32 [cell], 0;
      bar.sync 0;
      %s
      ret;
    }
    """
        .formatted(type, any, bytes, any, bytes * 8, body);
  }

  @Test
  void everyWidthIsReadAndWrittenWithItsSign() {
    byte[] bytes = new byte[32];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (0x7b + 9 * i);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long[] words = new long[4];
    in.asLongBuffer().get(words);
    Rig rig = new Rig(PTX);
    long out = rig.put(new long[14]);
    rig.launch("widths", 1, 1, 0, rig.put(words), out);
    long[] found = rig.longs(out, 14);

    assertThat(Arrays.copyOf(found, 9))
        .containsExactly(
            bytes[1] & 0xff,
            bytes[3],
            in.getShort(2) & 0xffff,
            in.getShort(6),
            Integer.toUnsignedLong(in.getInt(4)),
            in.getInt(4),
            bytes[11] & 0xff,
            in.getShort(14) & 0xffff,
            in.getLong(24));
    ByteBuffer result = ByteBuffer.allocate(112).order(ByteOrder.LITTLE_ENDIAN);
    result.asLongBuffer().put(found);
    assertThat(result.get(72)).isEqualTo(bytes[9]);
    assertThat(result.get(73)).isEqualTo((byte) 7);
    assertThat(result.get(74)).isEqualTo(bytes[8]);
    assertThat(result.get(75)).isEqualTo(bytes[10]);
    assertThat(result.getShort(76)).isEqualTo(in.getShort(12));
    assertThat(result.getShort(78)).isEqualTo((short) -2);
    assertThat(result.getInt(80)).isEqualTo(in.getInt(16));
    assertThat(result.getInt(84)).isEqualTo(in.getInt(16));
    assertThat(result.getInt(96)).isEqualTo(in.getInt(28));
    assertThat(result.getInt(100)).isEqualTo(in.getInt(24));
    assertThat(result.getInt(104)).isEqualTo(in.getInt(16));
    assertThat(result.getInt(108)).isEqualTo(5);
  }

  @Test
  void everySpaceIsReachedDirectlyAndThroughGenericAddresses() {
    Rig rig = new Rig(PTX);
    long out = rig.put(new long[6]);
    rig.launch("spaces", 1, 1, 64, out, 0x1234_0000_0000L);
    rig.launch("spaces", 1, 1, 64, out, 0x1234_0000_0000L);
    assertThat(rig.ints(out, 8)).containsExactly(17, 18, 19, 0, 20, 0x80000000, -1, 0x1234);
    assertThat(rig.longs(out + 32, 1)).containsExactly(0x123456789abcdef0L);
    assertThat(rig.ints(out + 40, 1)).as("a global keeps its value").containsExactly(43);
  }

  @ParameterizedTest
  @CsvSource({"u32, 4", "s32, 4", "u64, 8", "s64, 8"})
  void atomicUpdatesOfManyThreadsAreAllCounted(String type, int bytes) {
    int threads = 128;
    int blocks = 4;
    long[] x = new Random(3).longs(threads).toArray();
    boolean wide = bytes == 8;
    Rig rig = new Rig(PTX, 2);
    long in = wide ? rig.put(x) : rig.put(Arrays.stream(x).mapToInt(v -> (int) v).toArray());
    long[] start = {0, 5, 5, -1, 0, 0, 9, 77, 0, 5, 5, -1, 0, 0, 0, 3};
    long out =
        wide ? rig.put(start) : rig.put(Arrays.stream(start).mapToInt(v -> (int) v).toArray());
    rig.launch("atomics_" + type, blocks, threads, 0, in, out);
    long[] found =
        wide ? rig.longs(out, 16) : Arrays.stream(rig.ints(out, 16)).mapToLong(v -> v).toArray();

    long[] values = Arrays.stream(x).map(v -> wide ? v : (int) v).toArray();
    boolean signed = type.startsWith("s");
    long flip = signed ? 0 : wide ? Long.MIN_VALUE : Integer.MIN_VALUE;
    long add = cut(blocks * Arrays.stream(values).sum(), wide);
    long min = Math.min(5 ^ flip, Arrays.stream(values).map(v -> v ^ flip).min().orElseThrow());
    long max = Math.max(5 ^ flip, Arrays.stream(values).map(v -> v ^ flip).max().orElseThrow());
    long and = Arrays.stream(values).reduce(-1, (a, b) -> a & b);
    long or = Arrays.stream(values).reduce(0, (a, b) -> a | b);
    for (int half : new int[] {0, 8}) {
      assertThat(Arrays.copyOfRange(found, half, half + 6))
          .containsExactly(add, min ^ flip, max ^ flip, and, or, 0);
    }
    assertThat(values).as("exchanged last").contains(found[6]);
    assertThat(found[7])
        .as("the first to compare wins")
        .isIn(Arrays.stream(values).boxed().toList());
    if (type.equals("u32")) {
      assertThat(found[14]).as("counts to 5 and wraps").isEqualTo(2L * threads * blocks % 6);
      assertThat(found[15]).as("counts down and wraps").isEqualTo(downFrom(3, threads * blocks));
    }
  }

  private static long cut(long value, boolean wide) {
    return wide ? value : (int) value;
  }

  private static long downFrom(int start, int steps) {
    int value = start;
    for (int i = 0; i < steps; i++) {
      value = value == 0 || value > 5 ? 5 : value - 1;
    }
    return value;
  }
}
