package io.cuzk.bench;

import java.util.Map;

/**
 * One measured row.
 *
 * @param work such as {@code fp_mul}
 * @param provider the arithmetic, or the backend
 * @param size log2 of the number of elements, or the size of the sector
 * @param threads cores that the work may keep busy
 * @param unit what {@link #unitNanos} counts: multiplication, butterfly, point, proof
 * @param units how many of them one iteration does
 * @param timing medians of one iteration
 * @param rival the same work by another program on one thread, or null
 * @param more further figures by name: numbers, texts, or maps of them
 */
public record Measurement(
    String work,
    String provider,
    Object size,
    int threads,
    String unit,
    double units,
    Timing timing,
    Rival rival,
    Map<String, Object> more) {
  /**
   * Another program's work, measured in the same run.
   *
   * @param name which function of which program
   * @param unitNanos CPU nanoseconds of a unit on one thread
   */
  public record Rival(String name, double unitNanos) {}

  /** CPU nanoseconds of a unit. */
  public double unitNanos() {
    return timing.cpuNanos() / units;
  }

  /** CPU nanoseconds of what the rival needs for one iteration's work; NaN without a rival. */
  public double rivalCpuNanos() {
    return rival == null ? Double.NaN : rival.unitNanos() * units;
  }

  /** CPU time by the rival's; NaN without a rival. */
  public double ratio() {
    return rival == null ? Double.NaN : unitNanos() / rival.unitNanos();
  }
}
