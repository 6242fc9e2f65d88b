package io.cuzk.jobs;

import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import java.util.ArrayList;
import java.util.List;

/** The choice of a backend, in words, and what follows from it. */
public final class Backends {
  private Backends() {}

  /** Whether a backend makes several proofs at once where no devices are assigned to it. */
  static boolean concurrent(String name) {
    return ProverBackends.providers().stream()
        .anyMatch(each -> each.name().equals(name) && each.concurrent());
  }

  /** Why {@code auto} or a name led to this provider, those passed over with their reasons. */
  static String choice(String wanted, ProverBackendProvider chosen) {
    if (!wanted.equals(ProverBackends.AUTO)) {
      return "backend " + chosen.name() + ", as asked";
    }
    List<String> passed = new ArrayList<>();
    for (ProverBackendProvider provider : ProverBackends.providers()) {
      if (provider.priority() > chosen.priority()) {
        passed.add(provider.name() + ": " + provider.unavailable().orElse("not preferred"));
      }
    }
    return "backend auto: "
        + chosen.name()
        + (passed.isEmpty()
            ? " (no other backend is on the class path)"
            : " (" + String.join("; ", passed) + ")");
  }
}
