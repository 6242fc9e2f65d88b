package io.cuzk.gpu.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.gpu.ptx.SimulatedFault.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs with known faults: each must be caught, and said with its place. */
final class PlantedBugTest {
  private static final String PTX = planted();

  private static String planted() {
    try (InputStream in = PlantedBugTest.class.getResourceAsStream("planted.ptx")) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<Arguments> bugs() {
    return Stream.of(
        Arguments.of("writes_past_the_end", Kind.OUT_OF_BOUNDS, "thread 63 of block 0"),
        Arguments.of("reads_at_null", Kind.OUT_OF_BOUNDS, "global memory at 0x0"),
        Arguments.of("reads_before_the_start", Kind.OUT_OF_BOUNDS, "global memory"),
        Arguments.of("writes_behind_shared", Kind.OUT_OF_BOUNDS, "thread 32 of block 0"),
        Arguments.of("writes_behind_local", Kind.OUT_OF_BOUNDS, "local memory at 0x10"),
        Arguments.of("reads_behind_parameters", Kind.OUT_OF_BOUNDS, "parameters at 0x8"),
        Arguments.of("misaligned_word", Kind.MISALIGNED, "4 bytes of global"),
        Arguments.of("misaligned_vector", Kind.MISALIGNED, "16 bytes of global"),
        Arguments.of("misaligned_shared", Kind.MISALIGNED, "8 bytes of shared"),
        Arguments.of("shared_without_barrier", Kind.RACE, "without a barrier"),
        Arguments.of("shared_write_after_read", Kind.RACE, "without a barrier"),
        Arguments.of("shared_write_after_two_reads", Kind.RACE, "read at 0x0"),
        Arguments.of("shared_written_twice", Kind.RACE, "overwrites what thread 0"),
        Arguments.of("warp_without_barrier", Kind.RACE, "shared memory"),
        Arguments.of("lost_update", Kind.RACE, "thread 0 of block 0"),
        Arguments.of("blocks_without_order", Kind.RACE, "block 1"),
        Arguments.of("reads_beside_atomics", Kind.RACE, "thread 0 of block 0 read"),
        Arguments.of("different_barriers", Kind.DIVERGENT_BARRIER, "=40"),
        Arguments.of("barrier_against_shuffle", Kind.DEADLOCK, "bar.sync=40"),
        Arguments.of("barrier_of_some", Kind.UNSUPPORTED, "only barrier 0"),
        Arguments.of("lane_outside_its_mask", Kind.SHUFFLE_MASK, "lane 1 is not in its own mask"),
        Arguments.of("reads_a_lane_outside_the_mask", Kind.SHUFFLE_MASK, "lane 0 reads lane 1"),
        Arguments.of("mask_names_an_ended_lane", Kind.SHUFFLE_MASK, "names lane 7"),
        Arguments.of("masks_differ", Kind.SHUFFLE_MASK, "give masks"),
        Arguments.of("reads_undefined_shared", Kind.UNINITIALISED, "shared memory"),
        Arguments.of("reads_undefined_local", Kind.UNINITIALISED, "local memory"),
        Arguments.of("reads_an_undefined_register", Kind.UNINITIALISED, "%v may be read"),
        Arguments.of("reads_an_undefined_carry", Kind.UNINITIALISED, "the carry flag"),
        Arguments.of("writes_a_constant", Kind.READ_ONLY, "constant memory"),
        Arguments.of("never_ends", Kind.ENDLESS, "runs on and on"),
        Arguments.of("waits_for_a_word", Kind.ENDLESS, "runs on and on"));
  }

  private static Consumer<SimulatedFault> of(Kind kind) {
    return fault -> assertThat(fault.kind()).isEqualTo(kind);
  }

  private static void fails(Kind kind, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(SimulatedFault.class, of(kind))
        .hasMessageContaining(message);
  }

  private static long ones(Rig rig) {
    int[] ones = new int[64];
    Arrays.fill(ones, 1);
    return rig.put(ones);
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void everyPlantedBugIsCaught(String kernel, Kind kind, String message) {
    Rig rig = new Rig(PTX);
    long buffer = ones(rig);
    fails(kind, message, () -> rig.launch(kernel, 2, 64, 0, buffer));
  }

  @Test
  void everyKernelOfTheFileIsExpectedToFailButOne() {
    Set<String> kernels = new TreeSet<>(PtxModule.parse("planted", PTX).kernels());
    assertThat(kernels.remove("clean")).isTrue();
    assertThat(kernels)
        .containsExactlyInAnyOrderElementsOf(bugs().map(a -> (String) a.get()[0]).toList());
  }

  @Test
  void whatIsRightPasses() {
    for (int workers : new int[] {1, 2}) {
      Rig rig = new Rig(PTX, workers);
      long total = rig.put(new int[1]);
      rig.launch("clean", 16, 64, 0, ones(rig), total);
      assertThat(rig.ints(total, 1)).containsExactly(16 * (64 + 5));
    }
  }

  @Test
  void faultsNameTheLine() {
    long line = PTX.lines().takeWhile(l -> !l.contains("[%b+4], %t")).count() + 1;
    Rig rig = new Rig(PTX);
    long buffer = ones(rig);
    fails(
        Kind.OUT_OF_BOUNDS,
        "writes_past_the_end, line " + line + ": st.global.u32",
        () -> rig.launch("writes_past_the_end", 1, 64, 0, buffer));
  }

  @Test
  void freedAndUndefinedBuffersAreNotRead() {
    Rig rig = new Rig(PTX);
    long total = rig.put(new int[1]);
    long freed = ones(rig);
    rig.simulator().free(freed);
    fails(Kind.OUT_OF_BOUNDS, "do not exist", () -> rig.launch("clean", 1, 64, 0, freed, total));
    fails(Kind.LAUNCH, "is not allocated", () -> rig.simulator().free(freed));
    long undefined = rig.room(256);
    fails(
        Kind.UNINITIALISED,
        "were never written",
        () -> rig.launch("clean", 1, 64, 0, undefined, total));
    fails(Kind.UNINITIALISED, "were never written", () -> rig.ints(undefined, 1));
  }

  @Test
  void impossibleLaunchesAreRefused() {
    Rig rig = new Rig(PTX);
    long buffer = ones(rig);
    fails(Kind.LAUNCH, "1 arguments, expected 2", () -> rig.launch("clean", 1, 64, 0, buffer));
    fails(Kind.LAUNCH, "1025 threads", () -> rig.launch("lost_update", 1, 1025, 0, buffer));
    fails(Kind.LAUNCH, "no threads", () -> rig.launch("lost_update", 0, 64, 0, buffer));
    fails(Kind.LAUNCH, "shared memory", () -> rig.launch("lost_update", 1, 1, 232449, buffer));
    fails(Kind.LAUNCH, "no kernel nothing", () -> rig.launch("nothing", 1, 1, 0, buffer));
  }

  private static String kernel(String body) {
    return Rig.HEAD + ".visible .entry k()\n{\n" + body + "\nret;\n}\n";
  }

  @Test
  void whatIsNotKnownIsRefusedWithItsLine() {
    fails(
        Kind.UNSUPPORTED,
        "line 6: sin.approx.f32: this opcode is not known",
        () -> new Rig(kernel("sin.approx.f32 1, 2;")).launch("k", 1, 1, 0));
    fails(
        Kind.UNSUPPORTED,
        "line 7: add.sat.s32: the part .sat is not known",
        () -> new Rig(kernel(".reg .b32 %r;\nadd.sat.s32 %r, 1, 2;")).launch("k", 1, 1, 0));
    fails(
        Kind.SYNTAX,
        "line 6: registers of type .f32 are not known",
        () -> new Rig(kernel(".reg .f32 %f;")));
    fails(Kind.SYNTAX, "line 6: register %q is not declared", () -> new Rig(kernel("@%q ret;")));
    fails(
        Kind.SYNTAX,
        "register %clock64 is not known",
        () -> new Rig(kernel("mov.u64 1, %clock64;")));
    fails(Kind.SYNTAX, "label nowhere of k is nowhere", () -> new Rig(kernel("bra nowhere;")));
    fails(
        Kind.UNSUPPORTED,
        "k calls vprintf, which has no body",
        () -> new Rig(kernel("call vprintf;")).launch("k", 1, 1, 0));
    fails(
        Kind.UNSUPPORTED,
        "itself calls itself",
        () ->
            new Rig(
                    Rig.HEAD
                        + ".func itself()\n"
                        + "{\n"
                        + "call itself;\n"
                        + "ret;\n"
                        + "}\n"
                        + ".entry k()\n"
                        + "{\n"
                        + "call itself;\n"
                        + "}")
                .launch("k", 1, 1, 0));
    fails(Kind.SYNTAX, "the text ends too early", () -> new Rig(Rig.HEAD + ".entry k() {"));
  }
}
