package io.cuzk.jobs;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a proof was made from.
 *
 * @param inputSha256 of the C1 file
 * @param keyDigest of the parameters
 * @param circuitDigest of the compiled circuit's templates and instances; null where it was not
 *     compiled, and in entries of earlier programs, which did not write it
 */
record Fingerprint(String inputSha256, String keyDigest, String circuitDigest) {
  /** As the {@code proof} of a journal entry has it. */
  static Fingerprint of(JsonNode proof) {
    return new Fingerprint(
        proof.path("input_sha256").asText(),
        proof.path("key_digest").asText(),
        proof.hasNonNull("circuit_digest") ? proof.path("circuit_digest").asText() : null);
  }

  /** Whether a proof of one is a proof of the other: an unknown circuit is taken for the same. */
  boolean matches(Fingerprint other) {
    return inputSha256.equals(other.inputSha256)
        && keyDigest.equals(other.keyDigest)
        && (circuitDigest == null
            || other.circuitDigest == null
            || circuitDigest.equals(other.circuitDigest));
  }
}
