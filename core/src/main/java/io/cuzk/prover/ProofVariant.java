package io.cuzk.prover;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Ways to prove one assignment that can be measured side by side; for the same r and s all of them
 * make the same proof. Each is one switch of the original's fourth phase turned over.
 */
public enum ProofVariant {
  /** What proves: six transforms, a window for every query by its size, sums one after another. */
  STANDARD,
  /** The sum in G2 on a thread of its own beside the others (A4). */
  PARALLEL_B_G2,
  /** Host memory page-locked for one proof, all that goes to a device; else it is a ring (B1). */
  PINNED_HOST,
  /** Host memory for what goes to a device not page-locked at all. */
  UNPINNED_HOST,
  /** The window of h for every query (D4 undone). */
  ONE_WINDOW,
  /** Seven transforms: c as the product of a and b, row by row. */
  C_PRODUCT,
  /** Seven transforms: c as the product of its matrix with the witness. */
  C_MATRIX;

  /** How host memory is locked that feeds a device. */
  public HostPinning pinning() {
    return switch (this) {
      case PINNED_HOST -> HostPinning.REGISTER;
      case UNPINNED_HOST -> HostPinning.NONE;
      default -> HostPinning.RING;
    };
  }

  /** The name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All names. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(ProofVariant::label).toList();
  }

  /** The variant of a name. */
  public static Optional<ProofVariant> find(String label) {
    return Arrays.stream(values()).filter(v -> v.label().equals(label)).findFirst();
  }

  /**
   * Why a backend cannot do it; empty if it can.
   *
   * @param backend such as {@code cpu}
   */
  public Optional<String> inapplicable(String backend, int threads) {
    if (this == STANDARD) {
      return Optional.empty();
    }
    boolean pins = this == PINNED_HOST || this == UNPINNED_HOST;
    if (!backend.equals("cpu")) {
      return pins
          ? Optional.empty()
          : Optional.of("a switch of the backend cpu; " + backend + " has none of that name");
    }
    return switch (this) {
      case PINNED_HOST, UNPINNED_HOST ->
          Optional.of("nothing goes to a device: backend " + backend);
      case PARALLEL_B_G2 ->
          threads > 1
              ? Optional.empty()
              : Optional.of("one thread has nobody to work beside: --threads 2 or more");
      default -> Optional.empty();
    };
  }
}
