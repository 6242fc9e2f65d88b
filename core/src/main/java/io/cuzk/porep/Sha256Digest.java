package io.cuzk.porep;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The platform's SHA-256. */
final class Sha256Digest {
  private Sha256Digest() {}

  static MessageDigest fresh() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
