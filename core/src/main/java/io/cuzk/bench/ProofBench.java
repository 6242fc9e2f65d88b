package io.cuzk.bench;

import io.cuzk.ProofFailedException;
import io.cuzk.circuit.Assignment;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.Phase;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProofVariant;
import io.cuzk.prover.ProverBackend;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Proofs of one assignment, which was synthesised beforehand: transforms, sums and assembly, in one
 * or several ways in turn. All are made with one r and s, must be the same 192 bytes and verify;
 * that is looked at outside the measured part.
 */
public final class ProofBench {
  private ProofBench() {}

  /** What one way to prove made. */
  private static final class Runs {
    final List<Proof> proofs = new ArrayList<>();
    final Map<String, List<Double>> phases = new LinkedHashMap<>();
    final Map<String, List<Double>> walls = new LinkedHashMap<>();
  }

  /**
   * Measures.
   *
   * @param size how to call the circuit's size
   * @param workers the backends' pool
   * @param backends by the way in which they prove
   * @param check for the proofs
   * @return a row for each backend, in their order
   * @throws ProofFailedException if a proof does not verify or two differ
   */
  public static List<Measurement> run(
      Object size,
      Workers workers,
      Map<ProofVariant, ProverBackend> backends,
      ProvingKey key,
      Assignment assignment,
      ProofCheck check,
      Plan plan) {
    Blinding blinding = Blinding.random();
    List<Runs> runs = new ArrayList<>();
    List<Runnable> works = new ArrayList<>();
    for (ProverBackend backend : backends.values()) {
      Runs own = new Runs();
      runs.add(own);
      works.add(
          () -> {
            PhaseTimer timer = PhaseTimer.of(workers);
            own.proofs.add(backend.prove(key, assignment, blinding, timer));
            for (Phase phase : timer.phases()) {
              own.phases
                  .computeIfAbsent(phase.name(), name -> new ArrayList<>())
                  .add(phase.cpuNanos() * 1e-9);
              own.walls
                  .computeIfAbsent(phase.name(), name -> new ArrayList<>())
                  .add(phase.wallNanos() * 1e-9);
            }
          });
    }
    String device = backends.values().iterator().next().device();
    List<Timing> timings = Timing.interleaved(plan, "proofs on " + device, workers, works);
    List<Measurement> rows = new ArrayList<>();
    Proof expected = runs.getFirst().proofs.getFirst();
    check.require(expected, blinding, device);
    for (ProofVariant variant : backends.keySet()) {
      Runs own = runs.get(rows.size());
      for (int i = 0; i < own.proofs.size(); i++) {
        if (!own.proofs.get(i).hex().equals(expected.hex())) {
          throw new ProofFailedException(
              "proof %d by %s on %s is %s, with the same r and s %s was expected: no figure is shown"
                  .formatted(
                      i + 1, variant.label(), device, own.proofs.get(i).hex(), expected.hex()));
        }
      }
      Map<String, Object> more = new LinkedHashMap<>();
      more.put("variant", variant.label());
      more.put(check.counts(), own.proofs.size());
      more.put("phases_cpu_s", medians(own.phases, plan));
      more.put("phases_wall_s", medians(own.walls, plan));
      if (!backends.get(variant).facts().isEmpty()) {
        more.put("device_facts", backends.get(variant).facts());
      }
      String backend = backends.get(variant).name();
      rows.add(
          new Measurement(
              "prove",
              backend,
              size,
              workers.threads(),
              "proof",
              1,
              timings.get(rows.size()),
              null,
              more));
    }
    return rows;
  }

  private static Map<String, Object> medians(Map<String, List<Double>> phases, Plan plan) {
    Map<String, Object> medians = new LinkedHashMap<>();
    phases.forEach((name, values) -> medians.put(name, median(values, plan.iterations())));
    return medians;
  }

  /** Of the last ones: those before were for warming up. */
  private static double median(List<Double> values, int last) {
    // A phase that only the first proof has, such as the key's upload, has fewer.
    return Timing.median(
        values.subList(Math.max(0, values.size() - last), values.size()).stream()
            .mapToDouble(Double::doubleValue)
            .toArray());
  }
}
