package io.cuzk.curve;

/**
 * A readable list of affine points of one group, wherever they lie. Implementations may be read by
 * many threads at once.
 */
public interface AffinePoints {
  /** The group of the points. */
  Group group();

  /** How many points there are. */
  long size();

  /**
   * Copies points {@code from … from + count − 1} as Montgomery words x ‖ y, infinity as zero
   * words.
   *
   * @throws IndexOutOfBoundsException if the range leaves the list
   */
  void read(long from, int count, long[] out, int at);
}
