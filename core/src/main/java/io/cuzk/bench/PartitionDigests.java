package io.cuzk.bench;

import io.cuzk.circuit.Assignment;
import io.cuzk.field.Fr;
import io.cuzk.hash.NodeHash;
import io.cuzk.parallel.Workers;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * What was synthesised for one partition, in a form to compare: SHA-256 in hex over 32-byte
 * little-endian elements, as the golden files of the Rust stack have them.
 *
 * @param rows the trailing row of each input included
 * @param witness over the inputs (the constant one included) and the auxiliaries
 * @param aux over the auxiliaries
 * @param evalA over A·w, row by row
 * @param evalB over B·w, row by row
 */
public record PartitionDigests(
    int partition, long rows, String witness, String aux, String evalA, String evalB) {
  private static final int CHUNK = 4096;

  /** Copies a range of elements. */
  private interface Reader {
    void read(long from, int n, long[] out, int at);
  }

  /** Digests an assignment on as many threads as the pool has. */
  static PartitionDigests of(int partition, Assignment assignment, Workers workers) {
    Callable<String> witness =
        () -> {
          MessageDigest digest = NodeHash.newSha256();
          update(
              List.of(digest),
              assignment.inputs(),
              (from, n, out, at) -> assignment.readInputs((int) from, n, out, at));
          MessageDigest aux = NodeHash.newSha256();
          update(
              List.of(digest, aux),
              assignment.aux(),
              (from, n, out, at) -> assignment.readAux((int) from, n, out, at));
          return hex(digest) + hex(aux);
        };
    List<String> hashes =
        workers.invokeAll(
            List.of(
                witness,
                () -> hash(assignment.rows(), assignment::readA),
                () -> hash(assignment.rows(), assignment::readB)));
    String both = hashes.getFirst();
    int half = both.length() / 2;
    return new PartitionDigests(
        partition,
        assignment.rows(),
        both.substring(0, half),
        both.substring(half),
        hashes.get(1),
        hashes.get(2));
  }

  private static String hash(long size, Reader reader) {
    MessageDigest digest = NodeHash.newSha256();
    update(List.of(digest), size, reader);
    return hex(digest);
  }

  private static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void update(List<MessageDigest> digests, long size, Reader reader) {
    long[] words = new long[CHUNK * Fr.WORDS];
    byte[] bytes = new byte[CHUNK * Fr.BYTES];
    for (long from = 0; from < size; from += CHUNK) {
      int n = (int) Math.min(CHUNK, size - from);
      reader.read(from, n, words, 0);
      for (int i = 0; i < n; i++) {
        Fr.toBytes(bytes, i * Fr.BYTES, words, i * Fr.WORDS);
      }
      for (MessageDigest digest : digests) {
        digest.update(bytes, 0, n * Fr.BYTES);
      }
    }
  }
}
