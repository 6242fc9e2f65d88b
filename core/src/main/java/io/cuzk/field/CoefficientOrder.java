package io.cuzk.field;

/**
 * The orders in which the m = 2^k coefficients of a polynomial lie in memory or in a file: each
 * provider's {@link FrTransform} leaves them in one of these. The last coefficient is last in all
 * of them.
 */
public enum CoefficientOrder {
  /** Coefficient i at place i. */
  NATURAL {
    @Override
    public long position(long index, int logSize) {
      return index;
    }

    @Override
    public long index(long position, int logSize) {
      return position;
    }
  },

  /** The k bits of i backwards. */
  BIT_REVERSED {
    @Override
    public long position(long index, int logSize) {
      return logSize == 0 ? index : Long.reverse(index) >>> (64 - logSize);
    }

    @Override
    public long index(long position, int logSize) {
      return position(position, logSize);
    }
  },

  /**
   * i = k1 + 2^⌊k/2⌋·k2, eight rows k1 side by side, then k2, then the groups of rows: what a
   * four-step transform leaves that takes eight rows at a time. Runs of eight stay together. Bit
   * reversal where there are fewer than eight rows or columns (k &lt; 6).
   */
  ROW_GROUPS {
    @Override
    public long position(long index, int logSize) {
      if (logSize < 6) {
        return BIT_REVERSED.position(index, logSize);
      }
      int logRows = logSize / 2;
      long k1 = index & ((1L << logRows) - 1);
      long k2 = index >>> logRows;
      return (((k1 >>> 3) << (logSize - logRows)) + k2) << 3 | (k1 & 7);
    }

    @Override
    public long index(long position, int logSize) {
      if (logSize < 6) {
        return BIT_REVERSED.index(position, logSize);
      }
      int logRows = logSize / 2;
      int logColumns = logSize - logRows;
      long group = position >>> 3;
      long k2 = group & ((1L << logColumns) - 1);
      return k2 << logRows | (group >>> logColumns) << 3 | (position & 7);
    }
  };

  /** Where coefficient {@code index} lies among 2^logSize; a bijection on 0 … 2^logSize − 1. */
  public abstract long position(long index, int logSize);

  /** Which coefficient lies at {@code position}: the inverse of {@link #position}. */
  public abstract long index(long position, int logSize);
}
