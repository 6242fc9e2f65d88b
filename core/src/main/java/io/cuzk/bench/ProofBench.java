package io.cuzk.bench;

import io.cuzk.ProofFailedException;
import io.cuzk.circuit.Assignment;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.Verifier;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.Phase;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProverBackend;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Proofs of one assignment, which was synthesised beforehand: transforms, sums and assembly. Every
 * proof is verified, outside the measured part.
 */
public final class ProofBench {
  private ProofBench() {}

  /**
   * Measures.
   *
   * @param size how to call the circuit's size
   * @param workers the backend's pool
   * @param inputs the public inputs without the constant one
   * @throws ProofFailedException if a proof does not verify
   */
  public static Measurement run(
      Object size,
      ProverBackend backend,
      Workers workers,
      ProvingKey key,
      Assignment assignment,
      long[] inputs,
      Plan plan) {
    Verifier verifier = Verifier.of(key.vk());
    List<Proof> proofs = new ArrayList<>();
    Map<String, List<Double>> phases = new LinkedHashMap<>();
    Runnable prove =
        () -> {
          PhaseTimer timer = PhaseTimer.of(workers);
          proofs.add(backend.prove(key, assignment, Blinding.random(), timer));
          for (Phase phase : timer.phases()) {
            phases
                .computeIfAbsent(phase.name(), name -> new ArrayList<>())
                .add(phase.cpuNanos() * 1e-9);
          }
        };
    Timing timing =
        Timing.interleaved(plan, "proofs on " + backend.device(), workers, List.of(prove))
            .getFirst();
    int runs = proofs.size();
    for (int i = 0; i < runs; i++) {
      if (!verifier.verify(Proof.decode(proofs.get(i).encode()), inputs)) {
        throw new ProofFailedException(
            "proof %d of %d by backend %s on %s does not verify: no figure is shown"
                .formatted(i + 1, runs, backend.name(), backend.device()));
      }
    }
    Map<String, Object> medians = new LinkedHashMap<>();
    phases.forEach((name, values) -> medians.put(name, median(values, plan.iterations())));
    Map<String, Object> more = new LinkedHashMap<>();
    more.put("verified", runs);
    more.put("phases_cpu_s", medians);
    return new Measurement(
        "prove", backend.name(), size, workers.threads(), "proof", 1, timing, null, more);
  }

  /** Of the last ones: those before were for warming up. */
  private static double median(List<Double> values, int last) {
    return Timing.median(
        values.subList(values.size() - last, values.size()).stream()
            .mapToDouble(Double::doubleValue)
            .toArray());
  }
}
