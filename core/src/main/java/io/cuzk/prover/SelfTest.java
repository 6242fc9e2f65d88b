package io.cuzk.prover;

import io.cuzk.InfrastructureException;
import io.cuzk.ProofFailedException;
import io.cuzk.field.Fr;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.groth16.Progress;
import io.cuzk.groth16.ToxicWaste;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The built-in known-answer test of a backend: a circuit of 901 rows with full-size values and
 * bits, parameters from secrets that are in the jar, a proof with fixed r and s that must have the
 * 192 bytes written below, and its verification. Takes about a second; stateless.
 */
public final class SelfTest {
  /** The proof that every backend must make; it verifies in programs of other origin too. */
  static final String KNOWN_ANSWER =
      "98b2ff69bf6229e1d80e622126a3339ad7d286187971bac60f9381814aaee6571fb2de912b87e25222ed2423"
          + "df33b4918c26560eaba181e1736eb9c27c937d4acf14516decad996240b86f90cebf1f299e51078db3d62db7"
          + "f2f1d3bde71747580488d1873c9abb7cfdd82afd741fcb1bdd546051f2b39f2ca8e1848618e75a229a2e0cbc"
          + "0557607980898c5f0be000258be478088b09f20c340f537071762bc12b451a5424b7229b20e82ff53ef184cd"
          + "af73d4330f178b3d7f452d0d2a3745f0";

  private static final String R =
      "0f0e0d0c0b0a09080706050403020100f0e0d0c0b0a090807060504030201000";
  private static final String S =
      "1112131415161718191a1b1c1d1e1f2021222324252627282930313233343536";
  private static final String SECRETS = "self-test-secrets.json";

  private SelfTest() {}

  /**
   * What a backend did.
   *
   * @param proof hex of the proof, which is the known one and verified
   */
  public record Result(
      String backend, String device, String proof, long wallNanos, List<Phase> phases) {}

  /**
   * Proves and verifies.
   *
   * @throws ProofFailedException if the proof is another one or does not verify
   * @throws InfrastructureException if there is no room for temporary files
   */
  public static Result run(ProverBackend backend, Workers workers) {
    long begun = System.nanoTime();
    Path directory = temporary();
    try {
      Path params = directory.resolve("self-test.params");
      ParameterGenerator.generate(
          new Chain(false),
          secrets(directory),
          params,
          directory.resolve("self-test.vk"),
          "self-test",
          workers,
          Progress.NONE);
      try (ParameterFile file = ParameterFile.open(params)) {
        PartitionProver prover =
            PartitionProver.of(Synthesis.REFERENCE, backend, file.provingKey(), workers);
        ProvedPartition proved =
            prover.prove(
                "the self-test",
                new Chain(true),
                Chain.publicInputs(),
                Blinding.forTests(R, S),
                prover.timer());
        String proof = proved.proof().hex();
        if (!proof.equals(KNOWN_ANSWER)) {
          throw new ProofFailedException(
              "the self-test's proof by backend %s on device %s verifies but is not the known one: expected %s, found %s"
                  .formatted(backend.name(), backend.device(), KNOWN_ANSWER, proof));
        }
        return new Result(
            backend.name(), backend.device(), proof, System.nanoTime() - begun, proved.phases());
      }
    } finally {
      delete(directory);
    }
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("cuzk-self-test");
    } catch (IOException e) {
      throw new InfrastructureException("no temporary directory for the self-test: " + e, e);
    }
  }

  private static ToxicWaste secrets(Path directory) {
    Path file = directory.resolve(SECRETS);
    try (InputStream in = SelfTest.class.getResourceAsStream(SECRETS)) {
      if (in == null) {
        throw new IllegalStateException("the jar has no " + SECRETS);
      }
      Files.write(file, in.readAllBytes());
    } catch (IOException e) {
      throw new InfrastructureException("cannot write " + file + ": " + e, e);
    }
    return ToxicWaste.readForTests(file);
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // Temporary files that stay behind do no harm.
    }
  }

  /**
   * x ← x² + i, {@value #STEPS} times from a full-size x; then {@value #BITS} bits, packed. Public:
   * the last x and the packed number.
   */
  private static final class Chain implements Circuit {
    private static final int STEPS = 700;
    private static final int BITS = 199;

    private final boolean witness;

    Chain(boolean witness) {
      this.witness = witness;
    }

    static long[] publicInputs() {
      long[] inputs = new long[2 * Fr.WORDS];
      Chain chain = new Chain(true);
      long[] x = chain.first();
      for (int i = 0; i < STEPS; i++) {
        step(x, i);
      }
      System.arraycopy(x, 0, inputs, 0, Fr.WORDS);
      long[] power = new long[Fr.WORDS];
      Fr.setOne(power, 0);
      for (int i = 0; i < BITS; i++) {
        if (bit(i)) {
          Fr.add(inputs, Fr.WORDS, inputs, Fr.WORDS, power, 0);
        }
        Fr.dbl(power, 0, power, 0);
      }
      return inputs;
    }

    /** 3^-1: a value of full size. */
    private long[] first() {
      long[] x = new long[Fr.WORDS];
      if (witness) {
        Fr.setLong(x, 0, 3);
        Fr.inv(x, 0, x, 0);
      }
      return x;
    }

    private static void step(long[] x, int i) {
      long[] constant = new long[Fr.WORDS];
      Fr.setLong(constant, 0, i);
      Fr.square(x, 0, x, 0);
      Fr.add(x, 0, x, 0, constant, 0);
    }

    private static boolean bit(int i) {
      return (i * i + i / 3) % 5 < 2;
    }

    @Override
    public void synthesize(ConstraintSystem cs) {
      long[] outputs = publicInputs();
      int last = cs.allocInput(outputs, 0);
      int packed = cs.allocInput(outputs, Fr.WORDS);
      long[] x = first();
      long[] constant = new long[Fr.WORDS];
      int current = cs.alloc(x, 0);
      for (int i = 0; i < STEPS; i++) {
        step(x, i);
        int next = i == STEPS - 1 ? last : cs.alloc(x, 0);
        Fr.setLong(constant, 0, i);
        Fr.neg(constant, 0, constant, 0);
        cs.enforce(
            new LinearCombination().add(current),
            new LinearCombination().add(current),
            new LinearCombination().add(next).addConstant(constant, 0));
        current = next;
      }
      pack(cs, packed);
    }

    private void pack(ConstraintSystem cs, int packed) {
      LinearCombination sum = new LinearCombination();
      long[] power = new long[Fr.WORDS];
      Fr.setOne(power, 0);
      for (int i = 0; i < BITS; i++) {
        long[] value = new long[Fr.WORDS];
        Fr.setLong(value, 0, bit(i) ? 1 : 0);
        int variable = cs.alloc(value, 0);
        cs.enforce(
            new LinearCombination().addOne().sub(variable),
            new LinearCombination().add(variable),
            new LinearCombination());
        sum.add(variable, power, 0);
        Fr.dbl(power, 0, power, 0);
      }
      cs.enforce(sum, new LinearCombination().addOne(), new LinearCombination().add(packed));
    }
  }
}
