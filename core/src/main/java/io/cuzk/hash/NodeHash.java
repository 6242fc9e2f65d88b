package io.cuzk.hash;

import io.cuzk.field.Fr;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Joins the children of a Merkle node into it; nodes are 32 little-endian bytes of a canonical
 * element. An instance holds scratch space and serves one thread.
 */
@FunctionalInterface
public interface NodeHash {
  /** Bytes of a node. */
  int BYTES = Fr.BYTES;

  /**
   * Writes the node above the {@code arity} children that stand one after the other in {@code in}.
   */
  void join(byte[] out, int oo, byte[] in, int io, int arity);

  /** SHA-256 with the two top bits cleared, so that the digest is below r: the tree of comm_d. */
  static NodeHash sha256() {
    MessageDigest digest = newSha256();
    return (out, oo, in, io, arity) -> {
      digest.update(in, io, arity * BYTES);
      finish(digest, out, oo);
    };
  }

  /** Poseidon of the arity asked for: the trees of comm_c and comm_r_last. */
  static NodeHash poseidon() {
    Poseidon[] byArity = new Poseidon[12];
    return (out, oo, in, io, arity) -> {
      if (byArity[arity] == null) {
        byArity[arity] = Poseidon.ofArity(arity);
      }
      byArity[arity].hash(out, oo, in, io);
    };
  }

  /** A fresh SHA-256. */
  static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Ends a SHA-256 and writes its digest with the two top bits of byte 31 cleared. */
  static void finish(MessageDigest digest, byte[] out, int oo) {
    try {
      digest.digest(out, oo, BYTES);
    } catch (java.security.DigestException e) {
      throw new IllegalStateException(e);
    }
    out[oo + BYTES - 1] &= 0x3f;
  }
}
