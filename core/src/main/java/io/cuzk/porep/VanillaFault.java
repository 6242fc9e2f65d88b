package io.cuzk.porep;

import java.util.Objects;

/**
 * Something in a C1 output that does not hold.
 *
 * @param partition the partition, −1 if the fault is the sector's
 * @param challenge the challenge's place in its partition, −1 if the fault is the sector's
 * @param field the field as the JSON names it; elements of compound paths are counted from the leaf
 * @param problem what was found and expected there
 */
public record VanillaFault(int partition, int challenge, String field, String problem) {
  /** Checks presence. */
  public VanillaFault {
    Objects.requireNonNull(field, "field");
    Objects.requireNonNull(problem, "problem");
  }

  static VanillaFault ofSector(String field, String problem) {
    return new VanillaFault(-1, -1, field, problem);
  }

  /** One line. */
  public String message() {
    String where =
        partition < 0 ? "" : "partition " + partition + ", challenge " + challenge + ", ";
    return where + field + ": " + problem;
  }
}
