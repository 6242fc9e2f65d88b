package io.cuzk.porep;

import io.cuzk.field.Fr;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/** Size and range checks of the 32-byte node arrays inside the C1 records. */
final class Nodes {
  /** Bytes of a node: a canonical little-endian element of Fr. */
  static final int BYTES = 32;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long TOP_OF_MODULUS = Fr.MODULUS.shiftRight(192).longValueExact();

  private Nodes() {}

  /** Whether the 32 bytes at {@code at} are a little-endian number below r. */
  static boolean isCanonical(byte[] nodes, int at) {
    long top = (long) WORDS.get(nodes, at + 24);
    if (top != TOP_OF_MODULUS) {
      return Long.compareUnsigned(top, TOP_OF_MODULUS) < 0;
    }
    long[] words = new long[Fr.WORDS];
    for (int i = 0; i < words.length; i++) {
      words[i] = (long) WORDS.get(nodes, at + 8 * i);
    }
    return Fr.isCanonical(words, 0);
  }

  /** The node at {@code at} in hex. */
  static String hex(byte[] nodes, int at) {
    return HexFormat.of().formatHex(nodes, at, at + BYTES);
  }

  /** A copy of node {@code index}. */
  static byte[] copy(byte[] nodes, int index) {
    return Arrays.copyOfRange(nodes, index * BYTES, (index + 1) * BYTES);
  }

  /** The array, if it holds exactly {@code count} nodes. */
  static byte[] exactly(String name, byte[] nodes, int count) {
    if (nodes.length != count * BYTES) {
      throw new IllegalArgumentException(
          name + " has " + nodes.length + " bytes, not " + count * BYTES);
    }
    return nodes;
  }

  /** The array, if it holds between {@code least} and {@code most} whole nodes. */
  static byte[] between(String name, byte[] nodes, int least, int most) {
    int count = nodes.length / BYTES;
    if (nodes.length % BYTES != 0 || count < least || count > most) {
      throw new IllegalArgumentException(
          name + " has " + nodes.length + " bytes, not " + least + " to " + most + " times 32");
    }
    return nodes;
  }
}
