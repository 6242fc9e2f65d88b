package io.cuzk.bench;

import io.cuzk.InvalidInputException;
import io.cuzk.circuit.Assignment;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.Commit1Codec;
import io.cuzk.porep.Commit1Output;
import io.cuzk.porep.PartitionInput;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.StackedCircuit;
import io.cuzk.prover.CompiledSynthesis;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.Synthesis;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/**
 * Synthesis alone, from a C1 file: no key, no device, no Spark. In an iteration the file is read
 * and every partition built and synthesised; in the last one the assignments are digested, and
 * those of the compiled circuit checked row by row against its matrices, off the clock. Belongs to
 * one thread.
 */
public final class SynthesisBench {
  /**
   * What is measured.
   *
   * @param file a C1 file of any form
   * @param shape what to take instead of the file's sector size, for experiments
   * @param partition the only one, or all
   * @param threads cores to keep busy: inside a partition, or a partition on each
   * @param counters whether to read the kernel's counters
   */
  public record Request(
      Path file,
      Optional<SectorShape> shape,
      OptionalInt partition,
      int threads,
      boolean counters) {}

  private final Request request;
  private final SynthesisVariant variant;
  private final Workers workers;
  private final Meters meters;
  private Synthesis synthesis;
  private double prepareSeconds;
  private long rows;
  private long assignmentBytes;
  private long checkedRows;
  private List<PartitionDigests> digests = List.of();

  private SynthesisBench(
      Request request, SynthesisVariant variant, Workers workers, Meters meters) {
    this.request = request;
    this.variant = variant;
    this.workers = workers;
    this.meters = meters;
  }

  /**
   * Measures a variant.
   *
   * @throws InvalidInputException if the file is no C1 file or has no such partition, or the
   *     private inputs do not satisfy the circuit
   */
  public static SynthesisFigures run(Request request, SynthesisVariant variant, Plan plan) {
    // counters first: they see the threads that are started after them
    try (PerfCounters counters = request.counters() ? PerfCounters.open() : null;
        Workers workers = Workers.of(request.threads())) {
      Meters meters = new Meters(workers, counters);
      return new SynthesisBench(request, variant, workers, meters).run(plan);
    }
  }

  private SynthesisFigures run(Plan plan) {
    int n = plan.iterations();
    double[] wall = new double[n];
    double[] synth = new double[n];
    double[] synthCpu = new double[n];
    double[] processCpu = new double[n];
    for (int i = 0; i < plan.warmup(); i++) {
      iteration(false);
      plan.progress().advanced(variant.label(), i + 1, plan.warmup() + n);
    }
    meters.reset();
    for (int i = 0; i < n; i++) {
      meters.begin();
      wall[i] = iteration(i == n - 1);
      synth[i] = meters.wallSeconds();
      synthCpu[i] = meters.cpuSeconds();
      processCpu[i] = meters.processCpuSeconds();
      plan.progress().advanced(variant.label(), plan.warmup() + i + 1, plan.warmup() + n);
    }
    return new SynthesisFigures(
        variant,
        rows,
        prepareSeconds,
        wall,
        synth,
        synthCpu,
        processCpu,
        meters.allocatedBytes() / n,
        meters.gcSeconds() / n,
        Meters.peakBytes(),
        assignmentBytes,
        checkedRows,
        request.counters() ? meters.counters(n) : null,
        request.counters() ? meters.counterFaults() : Map.of(),
        digests);
  }

  /** Returns the seconds without those that digesting and compiling took. */
  private double iteration(boolean last) {
    long start = System.nanoTime();
    Commit1Output c1 = Commit1Codec.read(request.file(), request.shape()).output();
    long nanos = System.nanoTime() - start;
    int[] partitions = partitions(c1);
    if (synthesis == null) {
      start = System.nanoTime();
      synthesis = variant.synthesis(c1.shape(), workers);
      prepareSeconds = (System.nanoTime() - start) * 1e-9;
    }
    int abreast = variant.parallelInside() ? 1 : request.threads();
    List<PartitionDigests> found = new ArrayList<>();
    long bytes = 0;
    for (int first = 0; first < partitions.length; first += abreast) {
      int end = Math.min(partitions.length, first + abreast);
      start = System.nanoTime();
      List<StackedCircuit> circuits =
          IntStream.range(first, end)
              .mapToObj(i -> StackedCircuit.of(PartitionInput.of(c1, partitions[i])))
              .toList();
      List<Assignment> assignments = meters.measure(() -> synthesize(circuits));
      nanos += System.nanoTime() - start;
      for (int i = first; last && i < end; i++) {
        Assignment assignment = assignments.get(i - first);
        found.add(PartitionDigests.of(partitions[i], assignment, workers));
        if (synthesis instanceof CompiledSynthesis compiled) {
          compiled.requireSatisfied(circuits.get(i - first), assignment);
          checkedRows += assignment.rows();
        }
        bytes += assignment.bytes();
      }
    }
    if (last) {
      digests = found;
      assignmentBytes = bytes;
      rows = found.stream().mapToLong(PartitionDigests::rows).sum();
    }
    return nanos * 1e-9;
  }

  private List<Assignment> synthesize(List<StackedCircuit> circuits) {
    if (circuits.size() == 1) {
      return List.of(synthesis.synthesize(circuits.getFirst(), PhaseTimer.of(workers)));
    }
    List<Callable<Assignment>> work = new ArrayList<>();
    for (StackedCircuit circuit : circuits) {
      work.add(() -> synthesis.synthesize(circuit, PhaseTimer.of(workers)));
    }
    return workers.invokeAll(work);
  }

  private int[] partitions(Commit1Output c1) {
    int count = c1.shape().partitions();
    if (request.partition().isEmpty()) {
      return IntStream.range(0, count).toArray();
    }
    int only = request.partition().getAsInt();
    if (only >= count) {
      throw new InvalidInputException(
          "%s has no partition %d: it has 0 to %d".formatted(request.file(), only, count - 1));
    }
    return new int[] {only};
  }
}
