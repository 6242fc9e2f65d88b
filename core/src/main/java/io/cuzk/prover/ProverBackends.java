package io.cuzk.prover;

import io.cuzk.InfrastructureException;
import io.cuzk.parallel.Workers;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The backends on the class path. */
public final class ProverBackends {
  /** The choice that takes the best backend that can run. */
  public static final String AUTO = "auto";

  private ProverBackends() {}

  /** All providers, the preferred first. */
  public static List<ProverBackendProvider> providers() {
    return ServiceLoader.load(ProverBackendProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparingInt(ProverBackendProvider::priority).reversed())
        .toList();
  }

  /**
   * The provider for a choice: {@value #AUTO} is the preferred one that can run, any other name is
   * that one or an error, never another.
   *
   * @throws InfrastructureException naming the choice and why it cannot run
   */
  public static ProverBackendProvider choose(String choice) {
    return choose(choice, providers());
  }

  static ProverBackendProvider choose(String choice, List<ProverBackendProvider> providers) {
    String reasons = "";
    for (ProverBackendProvider provider : providers) {
      if (choice.equals(AUTO) ? !provider.automatic() : !choice.equals(provider.name())) {
        continue;
      }
      Optional<String> reason = provider.unavailable();
      if (reason.isEmpty()) {
        return provider;
      }
      reasons += (reasons.isEmpty() ? "" : "; ") + provider.name() + ": " + reason.get();
    }
    String known =
        providers.stream().map(ProverBackendProvider::name).collect(Collectors.joining(", "));
    throw new InfrastructureException(
        reasons.isEmpty()
            ? "no backend %s here; there are: %s".formatted(choice, known)
            : "backend %s cannot run: %s".formatted(choice, reasons));
  }

  /**
   * Refuses what a kind of backend is too slow for.
   *
   * @param what to prove, for the message
   * @param domain of its circuit
   * @throws InfrastructureException with both sizes
   */
  public static void requireInReach(ProverBackendProvider provider, String what, long domain) {
    if (domain > provider.largestDomain()) {
      throw new InfrastructureException(
          "backend %s proves circuits of up to %d rows, %s has a domain of %d: choose another"
                  .formatted(provider.name(), provider.largestDomain(), what, domain)
              + " --backend");
    }
  }

  /** Opens the backend of a choice; see {@link #choose}. */
  public static ProverBackend open(String choice, int device, Workers workers) {
    return choose(choice).open(device, workers);
  }
}
