package io.cuzk.prover;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How the host memory is page-locked from which a device is fed. */
public enum HostPinning {
  /** Not at all: the driver copies once more. */
  NONE,
  /** A few blocks, locked once for all proofs. */
  RING,
  /** Everything that a proof sends, locked for that proof: what the original tried first (B1). */
  REGISTER;

  /** The name in configurations. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All names. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(HostPinning::label).toList();
  }

  /** The one of a name. */
  public static Optional<HostPinning> find(String label) {
    return Arrays.stream(values()).filter(each -> each.label().equals(label)).findFirst();
  }
}
