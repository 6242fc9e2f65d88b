package io.cuzk.porep;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The keystream of ChaCha with 8 or 20 rounds (Bernstein 2008; RFC 8439 for the layout with a
 * 12-byte nonce), as 32-bit words. Blocks are addressed by number. Not thread-safe; computing a
 * block allocates nothing.
 */
final class ChaCha {
  /** Words of a block. */
  static final int WORDS = 16;

  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final byte[] CONSTANT = "expand 32-byte k".getBytes(StandardCharsets.US_ASCII);
  private static final int KEY_AT = 4;
  private static final int COUNTER_AT = 12;

  private final int rounds;
  private final int[] input = new int[WORDS];
  private final int[] block = new int[WORDS];
  private long current = -1;

  /**
   * @param rounds even
   * @param key 32 bytes
   * @param nonce 12 bytes
   */
  ChaCha(int rounds, byte[] key, byte[] nonce) {
    if (key.length != 32 || nonce.length != 12) {
      throw new IllegalArgumentException(
          "a key of " + key.length + " bytes, a nonce of " + nonce.length);
    }
    this.rounds = rounds;
    for (int i = 0; i < KEY_AT; i++) {
      input[i] = (int) LITTLE.get(CONSTANT, 4 * i);
    }
    for (int i = KEY_AT; i < COUNTER_AT; i++) {
      input[i] = (int) LITTLE.get(key, 4 * (i - KEY_AT));
    }
    for (int i = COUNTER_AT + 1; i < WORDS; i++) {
      input[i] = (int) LITTLE.get(nonce, 4 * (i - COUNTER_AT - 1));
    }
  }

  /** Replaces the last word of the key. */
  void lastKeyWord(int word) {
    input[COUNTER_AT - 1] = word;
    current = -1;
  }

  /** Word {@code index} of the keystream, below 2^36. */
  int word(long index) {
    long number = index / WORDS;
    if (number != current) {
      compute((int) number);
      current = number;
    }
    return block[(int) (index % WORDS)];
  }

  private void compute(int counter) {
    input[COUNTER_AT] = counter;
    System.arraycopy(input, 0, block, 0, WORDS);
    for (int i = 0; i < rounds; i += 2) {
      quarter(0, 4, 8, 12);
      quarter(1, 5, 9, 13);
      quarter(2, 6, 10, 14);
      quarter(3, 7, 11, 15);
      quarter(0, 5, 10, 15);
      quarter(1, 6, 11, 12);
      quarter(2, 7, 8, 13);
      quarter(3, 4, 9, 14);
    }
    for (int i = 0; i < WORDS; i++) {
      block[i] += input[i];
    }
  }

  private void quarter(int ia, int ib, int ic, int id) {
    int a = block[ia];
    int b = block[ib];
    int c = block[ic];
    int d = block[id];
    a += b;
    d = Integer.rotateLeft(d ^ a, 16);
    c += d;
    b = Integer.rotateLeft(b ^ c, 12);
    a += b;
    d = Integer.rotateLeft(d ^ a, 8);
    c += d;
    b = Integer.rotateLeft(b ^ c, 7);
    block[ia] = a;
    block[ib] = b;
    block[ic] = c;
    block[id] = d;
  }
}
