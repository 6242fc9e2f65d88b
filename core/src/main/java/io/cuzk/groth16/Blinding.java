package io.cuzk.groth16;

import io.cuzk.InvalidInputException;
import io.cuzk.field.Fr;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The pair (r, s) that hides the witness of one proof. Drawn afresh for each proof by {@link
 * #random}; a pair used twice, or known to others, gives the witness away. Immutable.
 */
public final class Blinding {
  private final long[] r;
  private final long[] s;

  private Blinding(long[] r, long[] s) {
    this.r = r;
    this.s = s;
  }

  /** A fresh pair from {@link SecureRandom}. */
  public static Blinding random() {
    SecureRandom random = new SecureRandom();
    return new Blinding(RandomScalars.uniform(random), RandomScalars.uniform(random));
  }

  /**
   * A given pair, for tests only: 32-byte little-endian hex each.
   *
   * @throws InvalidInputException if one is not a canonical scalar
   */
  public static Blinding forTests(String r, String s) {
    return new Blinding(scalar("r", r), scalar("s", s));
  }

  private static long[] scalar(String name, String hex) {
    long[] scalar = new long[Fr.WORDS];
    if (!hex.matches("[0-9a-fA-F]{64}")
        || !Fr.fromBytes(scalar, 0, HexFormat.of().parseHex(hex), 0)) {
      throw new InvalidInputException(
          "test randomness %s is %s, expected 64 hex digits, little-endian, below the group order"
              .formatted(name, hex));
    }
    return scalar;
  }

  /** r in Montgomery words; for reading only. */
  public long[] r() {
    return r;
  }

  /** s in Montgomery words; for reading only. */
  public long[] s() {
    return s;
  }
}
