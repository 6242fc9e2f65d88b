package io.cuzk.notebooks;

import java.awt.Color;
import java.util.List;
import java.util.Map;

/** A colour per phase, the same in every picture; what belongs together has one hue. */
final class Palette {
  /** The phases in the order of a partition. */
  static final List<String> PHASES =
      List.of(
          "queue.wait",
          "input.parse",
          "key.load",
          "synthesis.witness",
          "synthesis.evaluate",
          "device.wait",
          "upload",
          "quotient",
          "msm.h",
          "msm.l",
          "msm.a",
          "msm.b1",
          "msm.b2",
          "assemble",
          "verify",
          "write");

  static final Color SLOWER = new Color(0xc0392b);
  static final Color FASTER = new Color(0x2e8b57);
  static final Color WHOLE = new Color(0x5b6675);

  /** For series that are no phases. */
  static final Color[] SERIES = {
    new Color(0x1f5fa8), new Color(0xd9730d), new Color(0x159a80), new Color(0x8c5fb3),
    new Color(0xc9a227), new Color(0x7a4a3a), new Color(0x6aa5e0), new Color(0xc0392b)
  };

  private static final Map<String, Color> KNOWN =
      Map.ofEntries(
          Map.entry("queue.wait", new Color(0xc3c8cf)),
          Map.entry("device.wait", new Color(0xaab1ba)),
          Map.entry("input.parse", new Color(0x7d8896)),
          Map.entry("key.load", new Color(0x5b6675)),
          Map.entry("synthesis.witness", new Color(0x1f5fa8)),
          Map.entry("synthesis.evaluate", new Color(0x6aa5e0)),
          Map.entry("upload", new Color(0x8fd0c0)),
          Map.entry("quotient", new Color(0x159a80)),
          Map.entry("msm.h", new Color(0xd9730d)),
          Map.entry("msm.l", new Color(0xf0a04b)),
          Map.entry("msm.a", new Color(0xf6c583)),
          Map.entry("msm.b1", new Color(0xc9a227)),
          Map.entry("msm.b2", new Color(0x8f6f14)),
          Map.entry("assemble", new Color(0x8c5fb3)),
          Map.entry("verify", new Color(0xb56bb0)),
          Map.entry("write", new Color(0x7a4a3a)));
  private static final Color[] OTHERS = {
    new Color(0x4c8c4a),
    new Color(0xa34d6e),
    new Color(0x5d79b8),
    new Color(0x9c8f3c),
    new Color(0x3f8f9c)
  };

  private Palette() {}

  static Color of(String phase) {
    Color known = KNOWN.get(phase);
    return known != null ? known : OTHERS[Math.floorMod(phase.hashCode(), OTHERS.length)];
  }

  static Color series(int index) {
    return SERIES[index % SERIES.length];
  }
}
