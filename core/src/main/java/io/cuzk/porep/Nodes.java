package io.cuzk.porep;

/** Size checks of the 32-byte node arrays inside the C1 records. */
final class Nodes {
  /** Bytes of a node: a canonical little-endian element of Fr. */
  static final int BYTES = 32;

  private Nodes() {}

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
