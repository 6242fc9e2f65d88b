package io.cuzk.porep;

import io.cuzk.InvalidInputException;

/**
 * Fr32 padding: 254 bits of data in every 32 bytes, so that each is below r.
 *
 * <p>127 bytes of data become 128: bit streams in little-endian order, two zero bits after every
 * 254. Stateless.
 */
public final class Fr32 {
  private static final int DATA_BITS = 254;
  private static final int RAW = 127;
  private static final int PADDED = 128;

  private Fr32() {}

  /** Bytes of data that a sector holds. */
  public static long capacity(long sectorBytes) {
    return sectorBytes / PADDED * RAW;
  }

  /**
   * Pads data to a sector, zeros after its end. Allocates the sector.
   *
   * @throws InvalidInputException if the data is larger than the sector's capacity
   */
  public static byte[] pad(byte[] data, int sectorBytes) {
    if (data.length > capacity(sectorBytes)) {
      throw new InvalidInputException(
          "the data has "
              + data.length
              + " bytes; a sector of "
              + sectorBytes
              + " bytes holds at most "
              + capacity(sectorBytes));
    }
    byte[] sector = new byte[sectorBytes];
    int out = 0;
    for (long bit = 0; bit < 8L * data.length; bit += DATA_BITS) {
      int byteAt = (int) (bit >>> 3);
      int shift = (int) (bit & 7);
      for (int i = 0; i < Nodes.BYTES; i++) {
        int low = byteAt + i < data.length ? data[byteAt + i] & 0xff : 0;
        int high = byteAt + i + 1 < data.length ? data[byteAt + i + 1] & 0xff : 0;
        sector[out + i] = (byte) (low >>> shift | high << (8 - shift));
      }
      sector[out + Nodes.BYTES - 1] &= 0x3f;
      out += Nodes.BYTES;
    }
    return sector;
  }
}
