package io.cuzk.bench;

import io.cuzk.InfrastructureException;
import io.cuzk.field.Fr;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.groth16.Progress;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.PartitionProver;
import io.cuzk.prover.Phase;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.Synthesis;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Proofs of a small circuit with a key made for the occasion, by the prover that proves partitions:
 * a workload of a fraction of a second for measuring the measuring. Every proof is verified.
 */
public final class ToyProofs implements AutoCloseable {
  /** The phase that {@link #prove} can make slower. */
  public static final String PLANTED = "synthesis.witness";

  private static final int ROWS = 300;

  private final Path directory;
  private final ParameterFile parameters;
  private final PartitionProver prover;
  private final Workers workers;

  private ToyProofs(
      Path directory, ParameterFile parameters, PartitionProver prover, Workers workers) {
    this.directory = directory;
    this.parameters = parameters;
    this.prover = prover;
    this.workers = workers;
  }

  /**
   * Makes a key in a temporary directory.
   *
   * @throws InfrastructureException if there is no room for it
   */
  public static ToyProofs open(ProverBackend backend, Workers workers) {
    Path directory;
    try {
      directory = Files.createTempDirectory("cuzk-toy");
    } catch (IOException e) {
      throw new InfrastructureException("no temporary directory for a small key: " + e, e);
    }
    Path params = directory.resolve("toy.params");
    ParameterGenerator.generate(
        new Inverses(0), params, directory.resolve("toy.vk"), workers, Progress.NONE);
    ParameterFile file = ParameterFile.open(params);
    return new ToyProofs(
        directory,
        file,
        PartitionProver.of(Synthesis.REFERENCE, backend, file.provingKey(), workers),
        workers);
  }

  /**
   * Makes and verifies one proof.
   *
   * @param slower by what part the phase {@link #PLANTED} is made to take more CPU time: 0.1 for 10
   *     %
   * @return its phases
   * @throws io.cuzk.ProofFailedException if the proof does not verify
   */
  public List<Phase> prove(double slower) {
    PhaseTimer timer = PhaseTimer.of(workers);
    return prover
        .prove("a small proof", new Inverses(slower), Inverses.output(), Blinding.random(), timer)
        .phases();
  }

  @Override
  public void close() {
    parameters.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // Temporary files that stay behind do no harm.
    }
  }

  /**
   * x ← 1/x + i, a row each, from 3; public: the last x. Inversions, so that making the witness
   * takes as long as a sum of points does, and 10 % of it can be seen.
   */
  private record Inverses(double slower) implements Circuit {
    private static long[] first() {
      long[] x = new long[Fr.WORDS];
      Fr.setLong(x, 0, 3);
      return x;
    }

    private static void step(long[] x, long[] constant, int i) {
      Fr.setLong(constant, 0, i);
      Fr.inv(x, 0, x, 0);
      Fr.add(x, 0, x, 0, constant, 0);
    }

    static long[] output() {
      long[] x = first();
      long[] constant = new long[Fr.WORDS];
      for (int i = 0; i < ROWS; i++) {
        step(x, constant, i);
      }
      return x;
    }

    @Override
    public void synthesize(ConstraintSystem cs) {
      long begun = Workers.threadCpuNanos();
      int last = cs.allocInput(output(), 0);
      long[] x = first();
      long[] constant = new long[Fr.WORDS];
      int current = cs.alloc(x, 0);
      for (int i = 0; i < ROWS; i++) {
        step(x, constant, i);
        int next = i == ROWS - 1 ? last : cs.alloc(x, 0);
        Fr.setLong(constant, 0, i);
        Fr.neg(constant, 0, constant, 0);
        cs.enforce(
            new LinearCombination().add(current),
            new LinearCombination().add(next).addConstant(constant, 0),
            new LinearCombination().addOne());
        current = next;
      }
      long until = Workers.threadCpuNanos();
      until += (long) (slower * (until - begun));
      while (Workers.threadCpuNanos() < until) {
        Thread.onSpinWait();
      }
    }
  }
}
