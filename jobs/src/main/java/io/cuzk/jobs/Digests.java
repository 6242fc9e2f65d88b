package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Digests and pieces of byte arrays. */
final class Digests {
  private Digests() {}

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Equal pieces, in order. */
  static List<byte[]> split(byte[] bytes, int size) {
    if (bytes.length % size != 0) {
      throw new InvalidInputException(bytes.length + " bytes are not a multiple of " + size);
    }
    List<byte[]> pieces = new ArrayList<>(bytes.length / size);
    for (int at = 0; at < bytes.length; at += size) {
      pieces.add(Arrays.copyOfRange(bytes, at, at + size));
    }
    return pieces;
  }
}
