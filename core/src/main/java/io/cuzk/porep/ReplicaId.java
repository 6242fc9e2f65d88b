package io.cuzk.porep;

import io.cuzk.hash.NodeHash;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * What binds a replica to its miner, sector, ticket and data: SHA-256(prover_id ‖ sector u64 BE ‖
 * ticket ‖ comm_d ‖ porep_id) with the two top bits cleared, so that it is below r. Stateless.
 */
public final class ReplicaId {
  private ReplicaId() {}

  /**
   * The replica id of a miner's sector. Fresh bytes.
   *
   * @param miner the id in the address t0{@code miner}, unsigned
   * @param sector unsigned
   * @throws IllegalArgumentException if an array has not 32 bytes
   */
  public static byte[] of(long miner, long sector, byte[] ticket, byte[] commD, byte[] porepId) {
    return of(proverId(miner), sector, ticket, commD, porepId);
  }

  /** The replica id with a prover id of any form. Fresh bytes. */
  public static byte[] of(
      byte[] proverId, long sector, byte[] ticket, byte[] commD, byte[] porepId) {
    MessageDigest digest = NodeHash.newSha256();
    digest.update(Nodes.exactly("proverId", proverId, 1));
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, sector));
    digest.update(Nodes.exactly("ticket", ticket, 1));
    digest.update(Nodes.exactly("commD", commD, 1));
    byte[] id = digest.digest(Nodes.exactly("porepId", porepId, 1));
    id[Nodes.BYTES - 1] &= 0x3f;
    return id;
  }

  /** The prover id of a miner: its id in unsigned LEB128, zeros after it. Fresh bytes. */
  public static byte[] proverId(long miner) {
    byte[] id = new byte[Nodes.BYTES];
    long rest = miner;
    int at = 0;
    while (Long.compareUnsigned(rest, 0x80) >= 0) {
      id[at++] = (byte) (rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    id[at] = (byte) rest;
    return id;
  }
}
