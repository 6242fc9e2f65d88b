package io.cuzk.circuit;

import io.cuzk.field.Fr;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a synthesis fills: bits of the auxiliaries, numbers (inputs first, then the auxiliaries that
 * are no bits), small values of the rows and wide ones. Instances write to places of their own; the
 * words of bits that they share are joined atomically.
 */
final class WitnessValues {
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long HOLDS = Long.MAX_VALUE;

  final long[] bits;
  final long[] numbers;
  final byte[] smallA;
  final byte[] smallB;
  final long[] wideA;
  final long[] wideB;
  private final AtomicLong broken = new AtomicLong(HOLDS);

  WitnessValues(CompiledCircuit circuit) {
    bits = new long[(circuit.aux() >>> 6) + 2];
    numbers = new long[Math.multiplyExact(circuit.inputs() + circuit.numbers(), Fr.WORDS)];
    Fr.setOne(numbers, 0);
    smallA = new byte[circuit.ownRows()];
    smallB = new byte[circuit.ownRows()];
    wideA = new long[Math.multiplyExact(circuit.wideA(), Fr.WORDS)];
    wideB = new long[Math.multiplyExact(circuit.wideB(), Fr.WORDS)];
  }

  /** Sets bits base … base+n−1, which are 0, to those of another bit set from a place on. */
  void putBits(int base, int n, long[] from, int at) {
    int place = base;
    int end = base + n;
    while (place < end) {
      int word = place >>> 6;
      int next = Math.min(end, word + 1 << 6);
      long value = BitRuns.extract(from, at + place - base, next - place) << place;
      if (next - place == 64) {
        bits[word] = value;
      } else if (value != 0) {
        WORD.getAndBitwiseOr(bits, word, value);
      }
      place = next;
    }
  }

  /** Notes a row that does not hold; the first one stays. */
  void breaks(long row) {
    broken.accumulateAndGet(row, Math::min);
  }

  /** The first row that does not hold, or −1. */
  long brokenRow() {
    long row = broken.get();
    return row == HOLDS ? -1 : row;
  }
}
