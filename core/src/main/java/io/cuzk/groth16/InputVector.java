package io.cuzk.groth16;

import io.cuzk.InvalidInputException;
import io.cuzk.field.Fr;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;

/**
 * Public inputs of a proof, without the constant one: four Montgomery words of {@link Fr} each, in
 * one array. The readers here refuse non-canonical scalars with their values.
 */
public final class InputVector {
  private InputVector() {}

  /** Inputs from 32-byte little-endian encodings (bellperson's). */
  public static long[] ofLittleEndian(List<byte[]> encodings) {
    return read(encodings, false);
  }

  /** Inputs from 32-byte big-endian encodings. */
  public static long[] ofBigEndian(List<byte[]> encodings) {
    return read(encodings, true);
  }

  private static long[] read(List<byte[]> encodings, boolean big) {
    long[] out = new long[Fr.WORDS * encodings.size()];
    for (int i = 0; i < encodings.size(); i++) {
      byte[] bytes = encodings.get(i);
      if (bytes.length != Fr.BYTES) {
        throw new InvalidInputException(
            "input %d has %d bytes, expected %d".formatted(i, bytes.length, Fr.BYTES));
      }
      boolean canonical =
          big
              ? Fr.fromBytesBigEndian(out, Fr.WORDS * i, bytes, 0)
              : Fr.fromBytes(out, Fr.WORDS * i, bytes, 0);
      if (!canonical) {
        throw new InvalidInputException(
            "input %d is not canonical: %s (%s-endian) is not below the group order %s"
                .formatted(
                    i,
                    HexFormat.of().formatHex(bytes),
                    big ? "big" : "little",
                    Fr.MODULUS.toString(16)));
      }
    }
    return out;
  }

  /**
   * Inputs from texts: {@code 0x…} is a number, 64 hex digits without a prefix are the 32 bytes of
   * a little-endian encoding, and other decimal digits are a number.
   */
  public static long[] parse(List<String> texts) {
    long[] out = new long[Fr.WORDS * texts.size()];
    for (int i = 0; i < texts.size(); i++) {
      BigInteger value = number(texts.get(i), i);
      if (value.compareTo(Fr.MODULUS) >= 0) {
        throw new InvalidInputException(
            "input %d is not canonical: %s is not below the group order 0x%s"
                .formatted(i, texts.get(i), Fr.MODULUS.toString(16)));
      }
      Fr.fromBigInteger(out, Fr.WORDS * i, value);
    }
    return out;
  }

  private static BigInteger number(String text, int i) {
    if (text.matches("0[xX][0-9a-fA-F]{1,64}")) {
      return new BigInteger(text.substring(2), 16);
    }
    if (text.matches("[0-9a-fA-F]{64}")) {
      byte[] bytes = HexFormat.of().parseHex(text);
      for (int k = 0; k < 16; k++) {
        byte swap = bytes[k];
        bytes[k] = bytes[31 - k];
        bytes[31 - k] = swap;
      }
      return new BigInteger(1, bytes);
    }
    if (text.matches("[0-9]{1,80}")) {
      return new BigInteger(text);
    }
    throw new InvalidInputException(
        ("input %d is %s, expected 0x and up to 64 hex digits (a number), 64 hex digits (32 bytes,"
                + " little-endian) or a decimal number")
            .formatted(i, text.length() > 100 ? text.substring(0, 100) + "…" : text));
  }
}
