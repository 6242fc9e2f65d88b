package io.cuzk.porep;

import io.cuzk.hash.Blake2b;
import io.cuzk.hash.NodeHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Which nodes a proof of replication is challenged on: one rule for interactive proofs, one for
 * synthetic and one for non-interactive ones (FIP-0013, FIP-0059, FIP-0092; {@code
 * stacked::vanilla::challenges} of rust-fil-proofs). Node 0 is never challenged. Stateless.
 */
public final class Challenges {
  /** The most candidates that a synthetic proof commits to. */
  private static final int SYNTHETIC = 1 << 18;

  private static final byte[] SYNTHETIC_NONCE = ascii("synth-porep\0");
  private static final byte[] GENERATION = ascii("filecoin.io|PoRep|1|Synthetic|1|Generation");
  private static final byte[] SELECTION = ascii("filecoin.io|PoRep|1|Synthetic|1|Selection");
  private static final byte[] NON_INTERACTIVE = ascii("filecoin.io|PoRep|1|NonInteractive|1");
  private static final int CHACHA_ROUNDS = 20;
  private static final int NODE_WORDS = Nodes.BYTES / Integer.BYTES;

  private Challenges() {}

  /**
   * The partitions of a proof type: the shape's, and more where the challenges are not interactive.
   */
  public static int partitions(RegisteredProof proof, SectorShape shape) {
    if (proof.feature() != RegisteredProof.Feature.NON_INTERACTIVE) {
      return shape.partitions();
    }
    return shape.partitions() == 1 ? 13 : 126;
  }

  /**
   * The challenges of a partition.
   *
   * @param replicaId 32 bytes
   * @param commR 32 bytes; interactive challenges do not depend on it
   * @param seed 32 bytes; non-interactive challenges do not depend on it
   * @throws IllegalArgumentException if the proof type has no such partition or a size is wrong
   */
  public static long[] of(
      RegisteredProof proof,
      SectorShape shape,
      byte[] replicaId,
      byte[] commR,
      byte[] seed,
      int partition) {
    Nodes.exactly("replicaId", replicaId, 1);
    Nodes.exactly("commR", commR, 1);
    Nodes.exactly("seed", seed, 1);
    int partitions = partitions(proof, shape);
    if (partition < 0 || partition >= partitions) {
      throw new IllegalArgumentException("partition " + partition + " of " + partitions);
    }
    long[] out = new long[shape.challengesPerPartition()];
    int first = partition * out.length;
    switch (proof.feature()) {
      case NONE -> hashed(out, first, shape.nodes(), replicaId, seed);
      case SYNTHETIC -> synthetic(out, first, shape.nodes(), replicaId, commR, seed);
      case NON_INTERACTIVE -> hashed(out, first, shape.nodes(), NON_INTERACTIVE, replicaId, commR);
    }
    return out;
  }

  /** SHA-256(prefix ‖ j u32 LE) as a little-endian number. */
  private static void hashed(long[] out, int first, long nodes, byte[]... prefix) {
    MessageDigest digest = NodeHash.newSha256();
    for (int i = 0; i < out.length; i++) {
      for (byte[] part : prefix) {
        digest.update(part);
      }
      int j = first + i;
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        digest.update((byte) (j >>> shift));
      }
      byte[] hash = digest.digest();
      long rest = 0;
      for (int b = Nodes.BYTES - 1; b >= 0; b--) {
        rest = (rest << 8 | hash[b] & 0xff) % (nodes - 1);
      }
      out[i] = rest + 1;
    }
  }

  /** One stream lists the candidates, another chooses among them. */
  private static void synthetic(
      long[] out, int first, long nodes, byte[] replicaId, byte[] commR, byte[] seed) {
    ChaCha candidates = stream(GENERATION, replicaId, commR);
    ChaCha chosen = stream(SELECTION, replicaId, seed);
    long count = Math.min(nodes, SYNTHETIC);
    for (int i = 0; i < out.length; i++) {
      long candidate = (chosen.word(first + i) & 0xffffffffL) % count;
      long rest = 0;
      for (int w = NODE_WORDS - 1; w >= 0; w--) {
        long word = candidates.word(candidate * NODE_WORDS + w) & 0xffffffffL;
        rest = (rest << 32 | word) % (nodes - 1);
      }
      out[i] = rest + 1;
    }
  }

  private static ChaCha stream(byte[] key, byte[] replicaId, byte[] other) {
    Blake2b hash = Blake2b.keyed(key, 32);
    hash.update(replicaId, 0, replicaId.length);
    hash.update(other, 0, other.length);
    return new ChaCha(CHACHA_ROUNDS, hash.digest(), SYNTHETIC_NONCE);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
