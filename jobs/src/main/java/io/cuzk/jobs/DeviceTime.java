package io.cuzk.jobs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How long devices proved. What one does at the same time, such as the next proof's upload, counts
 * once.
 */
final class DeviceTime {
  /** What only a device can do; phases beneath these are counted with them. */
  private static final Set<String> PHASES =
      Set.of("upload", "quotient", "msm.h", "msm.l", "msm.a", "msm.b1", "msm.b2");

  private final Map<String, List<long[]>> byDevice = new HashMap<>();

  /**
   * Adds a phase, if it is one on a device.
   *
   * @param beginNanos since 1970, by the clock of the device's host
   */
  void add(String device, String phase, long beginNanos, long nanos) {
    if (PHASES.contains(phase)) {
      byDevice
          .computeIfAbsent(device, name -> new ArrayList<>())
          .add(new long[] {beginNanos, beginNanos + nanos});
    }
  }

  /** Of all devices, summed. */
  double seconds() {
    long sum = 0;
    for (List<long[]> spans : byDevice.values()) {
      spans.sort(Comparator.comparingLong(span -> span[0]));
      long end = Long.MIN_VALUE;
      for (long[] span : spans) {
        sum += Math.max(0, span[1] - Math.max(span[0], end));
        end = Math.max(end, span[1]);
      }
    }
    return sum * 1e-9;
  }
}
