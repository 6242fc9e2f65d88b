package io.cuzk.jobs.report;

import java.util.Map;

/** A colour per phase; what belongs together has one hue. Distinct for colour-blind eyes too. */
final class Colours {
  private static final Map<String, String> KNOWN =
      Map.ofEntries(
          Map.entry("queue.wait", "#c3c8cf"),
          Map.entry("device.wait", "#aab1ba"),
          Map.entry("input.parse", "#7d8896"),
          Map.entry("key.load", "#5b6675"),
          Map.entry("synthesis.witness", "#1f5fa8"),
          Map.entry("synthesis.evaluate", "#6aa5e0"),
          Map.entry("upload", "#8fd0c0"),
          Map.entry("quotient", "#159a80"),
          Map.entry("msm.h", "#d9730d"),
          Map.entry("msm.l", "#f0a04b"),
          Map.entry("msm.a", "#f6c583"),
          Map.entry("msm.b1", "#c9a227"),
          Map.entry("msm.b2", "#8f6f14"),
          Map.entry("assemble", "#8c5fb3"),
          Map.entry("verify", "#b56bb0"),
          Map.entry("write", "#7a4a3a"));
  private static final String[] OTHERS = {"#4c8c4a", "#a34d6e", "#5d79b8", "#9c8f3c", "#3f8f9c"};

  private Colours() {}

  static String of(String phase) {
    String known = KNOWN.get(phase);
    return known != null ? known : OTHERS[Math.floorMod(phase.hashCode(), OTHERS.length)];
  }
}
