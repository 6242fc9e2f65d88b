package io.cuzk.groth16;

import io.cuzk.InvalidInputException;
import io.cuzk.curve.AffinePoints;

/** Points of a file that {@link ParameterCheck} can look through, naming the bad one. */
interface CheckedPoints extends AffinePoints {
  /** The section's name. */
  String section();

  /**
   * Reads points, refusing infinity and coordinates that are not reduced.
   *
   * @throws InvalidInputException naming file, section and index
   */
  void readChecked(long from, int count, long[] out, int at);

  /** The bytes of a point as they stand in the file. */
  byte[] raw(long index);

  /** A failure that names file, section and index. */
  InvalidInputException invalid(long index, String what);
}
