package io.cuzk.gpu.ptx;

import static io.cuzk.gpu.ptx.GoldenCase.cut;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every arithmetic opcode in every form against BigInteger, on edge values and random ones. */
final class ArithmeticGoldenTest {
  private static final int THREADS = 256;

  @TestFactory
  Stream<DynamicTest> everyFormComputesWhatTheManualSays() {
    List<GoldenCase> cases = ArithmeticCases.all();
    StringBuilder text = new StringBuilder(Rig.HEAD);
    for (int k = 0; k < cases.size(); k++) {
      text.append(cases.get(k).kernel("k" + k));
    }
    Rig rig = new Rig(text.toString());
    BigInteger[][] operands = operands();
    long[] flat = new long[4 * THREADS];
    for (int t = 0; t < THREADS; t++) {
      for (int k = 0; k < 3; k++) {
        flat[4 * t + k] = operands[t][k].longValue();
      }
    }
    long in = rig.put(flat);
    return Stream.iterate(0, k -> k < cases.size(), k -> k + 1)
        .map(
            k ->
                DynamicTest.dynamicTest(
                    cases.get(k).body(), () -> check(rig, "k" + k, cases.get(k), in, operands)));
  }

  private static void check(
      Rig rig, String kernel, GoldenCase each, long in, BigInteger[][] operands) {
    long out = rig.room(16 * THREADS);
    rig.launch(kernel, 1, THREADS, 0, in, out);
    long[] found = rig.longs(out, 2 * THREADS);
    rig.simulator().free(out);
    for (int t = 0; t < THREADS; t++) {
      BigInteger[] cut = new BigInteger[3];
      for (int k = 0; k < 3; k++) {
        cut[k] = cut(operands[t][k], each.in());
      }
      List<BigInteger> expected = each.oracle().apply(cut);
      for (int k = 0; k < expected.size(); k++) {
        assertThat(cut(BigInteger.valueOf(found[2 * t + k]), 64))
            .as("result %d of %s for %s %s %s", k, each.body(), cut[0], cut[1], cut[2])
            .isEqualTo(expected.get(k));
      }
    }
  }

  /** All triples of edge values would be many: the edges in turn, then random ones. */
  private static BigInteger[][] operands() {
    List<BigInteger> edges = new ArrayList<>();
    for (int bits : new int[] {0, 7, 8, 15, 16, 31, 32, 63, 64}) {
      BigInteger power = BigInteger.ONE.shiftLeft(bits);
      edges.addAll(List.of(cut(power, 64), power.subtract(BigInteger.ONE)));
    }
    edges.addAll(List.of(BigInteger.TWO, BigInteger.valueOf(5), BigInteger.valueOf(40)));
    Random random = new Random(7);
    BigInteger[][] operands = new BigInteger[THREADS][3];
    for (int t = 0; t < THREADS; t++) {
      for (int k = 0; k < 3; k++) {
        operands[t][k] =
            random.nextInt(3) == 0
                ? new BigInteger(64, random)
                : edges.get(random.nextInt(edges.size()));
      }
    }
    return operands;
  }

  /** What the simulator claims to know was tested here or among the other opcodes. */
  @Test
  void everyOpcodeOfTheVocabularyIsTested() {
    StringBuilder text = new StringBuilder(Rig.HEAD);
    List<GoldenCase> cases = ArithmeticCases.all();
    for (int k = 0; k < cases.size(); k++) {
      text.append(cases.get(k).kernel("k" + k));
    }
    Set<String> tested = new TreeSet<>();
    for (String ptx : List.of(text.toString(), MemoryGoldenTest.PTX, ControlGoldenTest.PTX)) {
      for (PtxFunction function : PtxModule.parse("tested", ptx).functions.values()) {
        function.instructions.forEach(i -> tested.add(i.base()));
      }
    }
    assertThat(tested).containsExactlyInAnyOrderElementsOf(Vocabulary.opcodes());
  }
}
