package io.cuzk.groth16;

import io.cuzk.InvalidInputException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The digest that a file ought to have, by its sidecar or else by what Filecoin published under its
 * name. Nothing of the file itself is read.
 *
 * @param digest first 16 bytes of BLAKE2b-512 in hex
 * @param source what says so, for messages and records
 * @param published whether it is a file of Filecoin's
 */
record ExpectedDigest(
    String digest, String source, boolean published, Optional<DigestSidecar> sidecar) {
  /**
   * What is expected of a file.
   *
   * @throws InvalidInputException if nothing says it
   */
  static ExpectedDigest of(Path file) {
    Optional<DigestSidecar> sidecar = DigestSidecar.read(file);
    String digest;
    String source;
    if (sidecar.isPresent()) {
      digest = sidecar.get().digest().blake2b();
      source = DigestSidecar.beside(file).getFileName() + " (" + sidecar.get().origin() + ")";
    } else {
      PublishedDigests.Entry entry =
          PublishedDigests.ofFile(file.getFileName().toString())
              .orElseThrow(
                  () ->
                      new InvalidInputException(
                          ("nothing says what digest %s ought to have: there is no %s beside it and"
                                  + " Filecoin published no file of that name; 'cuzk params check"
                                  + " %s' checks every point and leaves a digest")
                              .formatted(file, DigestSidecar.beside(file).getFileName(), file)));
      digest = entry.digest();
      source = "Filecoin's published digest";
    }
    return new ExpectedDigest(
        digest, source, PublishedDigests.ofDigest(digest).isPresent(), sidecar);
  }

  /** Of a file that was found to have it. */
  TrustedDigest trusted() {
    return new TrustedDigest(digest, source, published);
  }

  /**
   * Compares a length with the sidecar's, where there is one.
   *
   * @throws InvalidInputException naming both
   */
  void requireBytes(Path file, long found) {
    if (sidecar.isPresent() && sidecar.get().digest().bytes() != found) {
      throw new InvalidInputException(
          "%s has %d bytes, expected %d according to %s; it is truncated or not this file"
              .formatted(file, found, sidecar.get().digest().bytes(), source));
    }
  }
}
