package io.cuzk.jobs.compare;

import io.cuzk.bench.ToyProofs;
import io.cuzk.groth16.Progress;
import io.cuzk.prover.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Whether comparing can be trusted on this machine: a slowdown planted in one phase of real small
 * proofs must be named, equal runs must raise no alarm. The runs of a pair are interleaved, proof
 * by proof, each time the other one first.
 *
 * @param plantedPhase the phase that was made slower, by 10 % of its CPU time
 * @param namedPhase the phase that the comparison named; null if none
 * @param found the comparison of that pair
 * @param falseAlarms how many of the equal pairs had a phase, or the total, slower or faster
 */
public record CompareSelfTest(
    String plantedPhase, String namedPhase, Comparison found, int equalPairs, int falseAlarms) {
  private static final double SLOWER = 0.1;
  private static final int WARMUP = 60;

  /**
   * Runs it.
   *
   * @param proofs of each run
   * @param equalPairs how many pairs of equal runs
   */
  public static CompareSelfTest run(ToyProofs toy, int proofs, int equalPairs, Progress progress) {
    progress.advanced("warm-up", 0, 1);
    for (int i = 0; i < WARMUP; i++) {
      toy.prove(i % 2 * SLOWER);
    }
    progress.advanced("pairs of runs", 0, equalPairs + 1);
    Comparison planted = pair(toy, proofs, SLOWER);
    int alarms = 0;
    for (int i = 0; i < equalPairs; i++) {
      progress.advanced("pairs of runs", i + 1, equalPairs + 1);
      Comparison equal = pair(toy, proofs, 0);
      boolean alarm =
          equal.total().verdict() != Verdict.NO_DIFFERENCE
              || equal.phases().stream().anyMatch(row -> row.verdict() != Verdict.NO_DIFFERENCE);
      alarms += alarm ? 1 : 0;
    }
    progress.advanced("pairs of runs", equalPairs + 1, equalPairs + 1);
    return new CompareSelfTest(
        ToyProofs.PLANTED,
        planted.culprit().map(PhaseDifference::phase).orElse(null),
        planted,
        equalPairs,
        alarms);
  }

  /** Whether the planted phase was named and nothing else raised an alarm. */
  public boolean passed() {
    return plantedPhase.equals(namedPhase) && falseAlarms == 0;
  }

  private static Comparison pair(ToyProofs toy, int proofs, double slower) {
    List<List<Phase>> one = new ArrayList<>();
    List<List<Phase>> other = new ArrayList<>();
    for (int i = 0; i < proofs; i++) {
      if (i % 2 == 0) {
        one.add(toy.prove(0));
        other.add(toy.prove(slower));
      } else {
        other.add(toy.prove(slower));
        one.add(toy.prove(0));
      }
    }
    return Comparison.of(subject("before", one), subject("after", other));
  }

  private static Subject subject(String name, List<List<Phase>> proofs) {
    Map<String, double[]> cpu = new LinkedHashMap<>();
    Map<String, double[]> wall = new LinkedHashMap<>();
    double[] totalCpu = new double[proofs.size()];
    double[] totalWall = new double[proofs.size()];
    for (int i = 0; i < proofs.size(); i++) {
      for (Phase phase : proofs.get(i)) {
        double own = phase.cpuNanos() * 1e-9;
        double clock = phase.wallNanos() * 1e-9;
        cpu.computeIfAbsent(phase.name(), added -> new double[proofs.size()])[i] += own;
        wall.computeIfAbsent(phase.name(), added -> new double[proofs.size()])[i] += clock;
        totalCpu[i] += own;
        totalWall[i] += clock;
      }
    }
    Observations observations =
        new Observations(
            List.copyOf(cpu.keySet()),
            cpu.values().toArray(double[][]::new),
            wall.values().toArray(double[][]::new),
            new boolean[cpu.size()],
            totalCpu,
            totalWall,
            new int[proofs.size()],
            List.of("here"),
            IntStream.range(0, proofs.size()).mapToObj(Integer::toString).toList(),
            true);
    return new Subject(name, List.of(), Map.of(), List.of(), observations);
  }
}
