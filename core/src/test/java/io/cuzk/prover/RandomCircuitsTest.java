package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.ProofFailedException;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.field.Fr;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.CircuitShape;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.groth16.Progress;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.Verifier;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Circuits drawn at random are set up with fresh secrets, proved and verified. */
class RandomCircuitsTest {
  @TempDir Path directory;

  /**
   * Rows (Σ …)(Σ …) = new variable + Σ …, over few or many earlier variables, bits, zeros and large
   * values; every third new variable is an input. The witness is computed by the circuit.
   *
   * @param spoiled row whose new variable gets a wrong value; −1 for none
   */
  private record RandomCircuit(long seed, int rows, int spoiled, List<long[]> inputs)
      implements Circuit {
    @Override
    public void synthesize(ConstraintSystem cs) {
      inputs.clear();
      Random random = new Random(seed);
      List<Integer> variables = new ArrayList<>(List.of(0));
      for (int row = 0; row < rows; row++) {
        LinearCombination a = combination(cs, random, variables, 1 + random.nextInt(6));
        LinearCombination b = combination(cs, random, variables, random.nextInt(3));
        LinearCombination c = combination(cs, random, variables, random.nextInt(3));
        boolean input = random.nextInt(3) == 0;
        long[] value = null;
        if (cs.hasWitness()) {
          long[] product = value(cs, a);
          Fr.mul(product, 0, product, 0, value(cs, b), 0);
          Fr.sub(product, 0, product, 0, value(cs, c), 0);
          value = product;
          if (row == spoiled) {
            Fr.add(value, 0, value, 0, one(), 0);
          }
          if (input) {
            inputs.add(value.clone());
          }
        }
        int fresh = input ? cs.allocInput(value, 0) : cs.alloc(value, 0);
        variables.add(fresh);
        c.add(fresh);
        cs.enforce(a, b, c);
      }
    }

    private static LinearCombination combination(
        ConstraintSystem cs, Random random, List<Integer> variables, int terms) {
      LinearCombination out = cs.lc();
      long[] coefficient = new long[Fr.WORDS];
      for (int i = 0; i < terms; i++) {
        int variable = variables.get(random.nextInt(variables.size()));
        switch (random.nextInt(4)) {
          case 0 -> out.add(variable);
          case 1 -> out.sub(variable);
          default -> {
            Fr.fromBigInteger(coefficient, 0, new BigInteger(256, random));
            out.add(variable, coefficient, 0);
          }
        }
      }
      return out;
    }

    private static long[] value(ConstraintSystem cs, LinearCombination terms) {
      long[] sum = new long[Fr.WORDS];
      long[] v = new long[Fr.WORDS];
      for (int i = 0; i < terms.size(); i++) {
        cs.value(terms.variable(i), v, 0);
        Fr.mul(v, 0, v, 0, terms.coefficients(), Fr.WORDS * i);
        Fr.add(sum, 0, sum, 0, v, 0);
      }
      return sum;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void setUpProvedAndVerified(long seed) {
    Random random = new Random(seed);
    // One row is the smallest; 61 + 3 inputs fill a domain to the last row now and then.
    int rows = seed == 1 ? 1 : 2 + random.nextInt(150);
    List<long[]> inputs = new ArrayList<>();
    Circuit circuit = new RandomCircuit(seed, rows, -1, inputs);
    Path params = directory.resolve("random.params");
    Path vk = directory.resolve("random.vk");
    try (Workers workers = Workers.of(1 + (int) (seed % 3))) {
      ParameterGenerator.Result made =
          ParameterGenerator.generate(circuit, params, vk, workers, Progress.NONE);
      assertThat(made.shape()).isEqualTo(CircuitShape.of(circuit));
      assertThat(made.shape().rows()).isEqualTo(rows + made.shape().inputs());
      try (ParameterFile file = ParameterFile.openTrusted(params, vk)) {
        ProvingKey key = file.provingKey();
        PartitionProver prover =
            PartitionProver.of(Synthesis.REFERENCE, CpuBackend.of(workers), key, workers);
        circuit.synthesize(ProvingAssignment.create());
        long[] expected = flat(inputs);
        ProvedPartition proved =
            prover.prove("random", circuit, expected, Blinding.random(), prover.timer());
        assertThat(proved.inputs()).isEqualTo(expected);
        Verifier verifier = Verifier.of(key.vk());
        if (expected.length > 0) {
          long[] changed = expected.clone();
          int which = Fr.WORDS * random.nextInt(expected.length / Fr.WORDS);
          Fr.add(changed, which, changed, which, one(), 0);
          assertThat(verifier.verify(proved.proof(), changed)).isFalse();
        }
        Circuit spoiled = new RandomCircuit(seed, rows, rows - 1, inputs);
        spoiled.synthesize(ProvingAssignment.create());
        long[] wrong = flat(inputs);
        assertThatThrownBy(
                () -> prover.prove("bad", spoiled, wrong, Blinding.random(), prover.timer()))
            .isInstanceOf(ProofFailedException.class);
      }
    }
  }

  private static long[] one() {
    long[] out = new long[Fr.WORDS];
    Fr.setOne(out, 0);
    return out;
  }

  private static long[] flat(List<long[]> inputs) {
    long[] out = new long[Fr.WORDS * inputs.size()];
    for (int i = 0; i < inputs.size(); i++) {
      System.arraycopy(inputs.get(i), 0, out, Fr.WORDS * i, Fr.WORDS);
    }
    return out;
  }
}
