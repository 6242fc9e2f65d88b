package io.cuzk.field;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.testing.Golden;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;

/** Scalars between golden hex, flat words and vectors. */
public final class FrVectors {
  private FrVectors() {}

  /** The Montgomery words of a JSON list of little-endian hex. */
  public static long[] words(JsonNode list) {
    long[] words = new long[list.size() * Fr.WORDS];
    for (int i = 0; i < list.size(); i++) {
      if (!Fr.fromBytes(words, i * Fr.WORDS, Golden.hex(list.get(i)), 0)) {
        throw new AssertionError("not canonical: " + list.get(i));
      }
    }
    return words;
  }

  /** A vector of {@code size} elements that starts with these. */
  public static FrVector vector(Arithmetic arithmetic, long size, long[] words) {
    FrVector v = arithmetic.allocate(size);
    v.load(0, words, 0, words.length / Fr.WORDS);
    return v;
  }

  /** All elements as Montgomery words. */
  public static long[] words(FrVector v) {
    long[] words = new long[(int) v.size() * Fr.WORDS];
    v.store(0, words, 0, (int) v.size());
    return words;
  }

  /** Uniform elements. */
  public static long[] random(Random random, int count) {
    long[] words = new long[count * Fr.WORDS];
    for (int i = 0; i < count; i++) {
      Fr.fromBigInteger(words, i * Fr.WORDS, new java.math.BigInteger(320, random));
    }
    return words;
  }

  /** SHA-256 over the canonical little-endian bytes, as in the golden digests. */
  public static String sha256(FrVector v) {
    long[] words = words(v);
    byte[] bytes = new byte[Fr.BYTES];
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (int i = 0; i < words.length; i += Fr.WORDS) {
        Fr.toBytes(bytes, 0, words, i);
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
