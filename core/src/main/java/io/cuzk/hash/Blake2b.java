package io.cuzk.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * The hash BLAKE2b (RFC 7693), streaming: 64 bytes without a key unless made by {@link #keyed}.
 * Filecoin names a parameter file by the first 16 bytes of a digest; its stacked graph permutes
 * with digests of two words. Not thread-safe; no allocation while updating.
 */
public final class Blake2b {
  /** Bytes of a digest. */
  public static final int BYTES = 64;

  private static final int BLOCK = 128;
  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long IV0 = 0x6a09e667f3bcc908L;
  private static final long IV1 = 0xbb67ae8584caa73bL;
  private static final long IV2 = 0x3c6ef372fe94f82bL;
  private static final long IV3 = 0xa54ff53a5f1d36f1L;
  private static final long IV4 = 0x510e527fade682d1L;
  private static final long IV5 = 0x9b05688c2b3e6c1fL;
  private static final long IV6 = 0x1f83d9abfb41bd6bL;
  private static final long IV7 = 0x5be0cd19137e2179L;

  /** Message word order of the twelve rounds (RFC 7693, section 2.7), sixteen a round. */
  private static final byte[] SIGMA = sigma();

  private final int length;
  private final long[] h = new long[8];
  private final long[] m = new long[16];
  private final byte[] buffer = new byte[BLOCK];
  private int filled;
  private long total;

  /** A hash of 64 bytes without a key. */
  public Blake2b() {
    this(BYTES, 0);
  }

  private Blake2b(int length, int keyLength) {
    this.length = length;
    start(keyLength);
  }

  /**
   * A hash with a key.
   *
   * @throws IllegalArgumentException if key or digest are not 1 to 64 bytes
   */
  public static Blake2b keyed(byte[] key, int digestBytes) {
    if (key.length < 1 || key.length > BYTES || digestBytes < 1 || digestBytes > BYTES) {
      throw new IllegalArgumentException(
          "a key of " + key.length + " bytes, a digest of " + digestBytes);
    }
    Blake2b hash = new Blake2b(digestBytes, key.length);
    hash.update(Arrays.copyOf(key, BLOCK), 0, BLOCK);
    return hash;
  }

  private void start(int keyLength) {
    h[0] = IV0 ^ 0x01010000L ^ (long) keyLength << 8 ^ length;
    h[1] = IV1;
    h[2] = IV2;
    h[3] = IV3;
    h[4] = IV4;
    h[5] = IV5;
    h[6] = IV6;
    h[7] = IV7;
  }

  /**
   * The first 8 bytes, as a little-endian word, of the unkeyed digest of the 16 bytes of two
   * little-endian words. Forgets what was taken in before; may be called again and again.
   */
  public long firstWord(long word0, long word1) {
    start(0);
    Arrays.fill(m, 2, m.length, 0);
    m[0] = word0;
    m[1] = word1;
    total = 2 * Long.BYTES;
    compress(true);
    return h[0];
  }

  /** The digest of some bytes. */
  public static byte[] digest(byte[] data) {
    Blake2b hash = new Blake2b();
    hash.update(data, 0, data.length);
    return hash.digest();
  }

  /** Takes in bytes. At most 2^63 − 1 in all. */
  public void update(byte[] in, int at, int length) {
    Objects.checkFromIndexSize(at, length, in.length);
    int from = at;
    int left = length;
    // The last block is kept back: it is compressed with the final flag.
    if (filled + left > BLOCK && filled > 0) {
      int take = BLOCK - filled;
      System.arraycopy(in, from, buffer, filled, take);
      total += BLOCK;
      compress(buffer, 0, false);
      filled = 0;
      from += take;
      left -= take;
    }
    while (left > BLOCK) {
      total += BLOCK;
      compress(in, from, false);
      from += BLOCK;
      left -= BLOCK;
    }
    System.arraycopy(in, from, buffer, filled, left);
    filled += left;
  }

  /** The bytes of the digest; ends this computation. */
  public byte[] digest() {
    Arrays.fill(buffer, filled, BLOCK, (byte) 0);
    total += filled;
    compress(buffer, 0, true);
    byte[] out = new byte[BYTES];
    for (int i = 0; i < 8; i++) {
      LITTLE.set(out, 8 * i, h[i]);
    }
    return length == BYTES ? out : Arrays.copyOf(out, length);
  }

  private void compress(byte[] in, int at, boolean last) {
    for (int i = 0; i < 16; i++) {
      m[i] = (long) LITTLE.get(in, at + 8 * i);
    }
    compress(last);
  }

  private void compress(boolean last) {
    final long[] w = m;
    long v0 = h[0];
    long v1 = h[1];
    long v2 = h[2];
    long v3 = h[3];
    long v4 = h[4];
    long v5 = h[5];
    long v6 = h[6];
    long v7 = h[7];
    long v8 = IV0;
    long v9 = IV1;
    long v10 = IV2;
    long v11 = IV3;
    long v12 = IV4 ^ total;
    long v13 = IV5;
    long v14 = last ? ~IV6 : IV6;
    long v15 = IV7;
    final byte[] order = SIGMA;
    for (int s = 0; s < 192; s += 16) {
      v0 += v4 + w[order[s] & 15];
      v12 = Long.rotateRight(v12 ^ v0, 32);
      v8 += v12;
      v4 = Long.rotateRight(v4 ^ v8, 24);
      v0 += v4 + w[order[s + 1] & 15];
      v12 = Long.rotateRight(v12 ^ v0, 16);
      v8 += v12;
      v4 = Long.rotateRight(v4 ^ v8, 63);

      v1 += v5 + w[order[s + 2] & 15];
      v13 = Long.rotateRight(v13 ^ v1, 32);
      v9 += v13;
      v5 = Long.rotateRight(v5 ^ v9, 24);
      v1 += v5 + w[order[s + 3] & 15];
      v13 = Long.rotateRight(v13 ^ v1, 16);
      v9 += v13;
      v5 = Long.rotateRight(v5 ^ v9, 63);

      v2 += v6 + w[order[s + 4] & 15];
      v14 = Long.rotateRight(v14 ^ v2, 32);
      v10 += v14;
      v6 = Long.rotateRight(v6 ^ v10, 24);
      v2 += v6 + w[order[s + 5] & 15];
      v14 = Long.rotateRight(v14 ^ v2, 16);
      v10 += v14;
      v6 = Long.rotateRight(v6 ^ v10, 63);

      v3 += v7 + w[order[s + 6] & 15];
      v15 = Long.rotateRight(v15 ^ v3, 32);
      v11 += v15;
      v7 = Long.rotateRight(v7 ^ v11, 24);
      v3 += v7 + w[order[s + 7] & 15];
      v15 = Long.rotateRight(v15 ^ v3, 16);
      v11 += v15;
      v7 = Long.rotateRight(v7 ^ v11, 63);

      v0 += v5 + w[order[s + 8] & 15];
      v15 = Long.rotateRight(v15 ^ v0, 32);
      v10 += v15;
      v5 = Long.rotateRight(v5 ^ v10, 24);
      v0 += v5 + w[order[s + 9] & 15];
      v15 = Long.rotateRight(v15 ^ v0, 16);
      v10 += v15;
      v5 = Long.rotateRight(v5 ^ v10, 63);

      v1 += v6 + w[order[s + 10] & 15];
      v12 = Long.rotateRight(v12 ^ v1, 32);
      v11 += v12;
      v6 = Long.rotateRight(v6 ^ v11, 24);
      v1 += v6 + w[order[s + 11] & 15];
      v12 = Long.rotateRight(v12 ^ v1, 16);
      v11 += v12;
      v6 = Long.rotateRight(v6 ^ v11, 63);

      v2 += v7 + w[order[s + 12] & 15];
      v13 = Long.rotateRight(v13 ^ v2, 32);
      v8 += v13;
      v7 = Long.rotateRight(v7 ^ v8, 24);
      v2 += v7 + w[order[s + 13] & 15];
      v13 = Long.rotateRight(v13 ^ v2, 16);
      v8 += v13;
      v7 = Long.rotateRight(v7 ^ v8, 63);

      v3 += v4 + w[order[s + 14] & 15];
      v14 = Long.rotateRight(v14 ^ v3, 32);
      v9 += v14;
      v4 = Long.rotateRight(v4 ^ v9, 24);
      v3 += v4 + w[order[s + 15] & 15];
      v14 = Long.rotateRight(v14 ^ v3, 16);
      v9 += v14;
      v4 = Long.rotateRight(v4 ^ v9, 63);
    }
    h[0] ^= v0 ^ v8;
    h[1] ^= v1 ^ v9;
    h[2] ^= v2 ^ v10;
    h[3] ^= v3 ^ v11;
    h[4] ^= v4 ^ v12;
    h[5] ^= v5 ^ v13;
    h[6] ^= v6 ^ v14;
    h[7] ^= v7 ^ v15;
  }

  private static byte[] sigma() {
    String[] rounds = {
      "0123456789abcdef",
      "ea489fd61c02b753",
      "b8c052fdae367194",
      "7931dcbe265a40f8",
      "905724afe1bc683d",
      "2c6a0b834d75fe19",
      "c51fed4a0763928b",
      "db7ec13950f4862a",
      "6fe9b308c2d714a5",
      "a2847615fb9e3cd0",
    };
    byte[] table = new byte[192];
    for (int r = 0; r < 12; r++) {
      for (int i = 0; i < 16; i++) {
        table[16 * r + i] = (byte) Character.digit(rounds[r % 10].charAt(i), 16);
      }
    }
    return table;
  }
}
