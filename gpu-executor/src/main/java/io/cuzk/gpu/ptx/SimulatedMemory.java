package io.cuzk.gpu.ptx;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * One address space: 32-bit words, what is known of each, and, where wanted, who touched it last.
 * Every access is checked for bounds, alignment and content; those of whole words also for order.
 */
final class SimulatedMemory {
  /** Nothing lies here. */
  private static final byte NOTHING = 0;

  /** Allocated, nothing was written. */
  private static final byte UNDEFINED = 1;

  private static final byte DEFINED = 2;

  /** What undefined memory holds, so that a missed fault still gives wrong results. */
  private static final int POISON = 0xcdcdcdcd;

  private static final int PAGE = 1024;
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(int[].class);

  final int[] words;
  private final String name;
  private final long base;
  private final byte[] states;
  private final boolean logged;
  private AtomicReferenceArray<AccessLog> pages;
  private boolean readOnly;

  /**
   * A memory of which nothing is allocated.
   *
   * @param logged whether accesses of different threads are checked against each other
   */
  SimulatedMemory(String name, long base, int bytes, boolean logged) {
    this.name = name;
    this.base = base;
    this.logged = logged;
    words = new int[Math.ceilDiv(bytes, 4)];
    states = new byte[words.length];
    forgetAccesses();
  }

  long base() {
    return base;
  }

  void makeReadOnly() {
    readOnly = true;
  }

  /** Orders everything that happened so far before everything that follows. */
  void forgetAccesses() {
    if (logged) {
      pages = new AtomicReferenceArray<>(Math.ceilDiv(words.length, PAGE));
    }
  }

  /** Makes bytes from an offset on, a multiple of 4, exist with undefined content. */
  void allocate(int offset, int bytes) {
    int end = Math.ceilDiv(offset + bytes, 4);
    Arrays.fill(words, offset >>> 2, end, POISON);
    Arrays.fill(states, offset >>> 2, end, UNDEFINED);
  }

  void free(int offset, int bytes) {
    Arrays.fill(states, offset >>> 2, Math.ceilDiv(offset + bytes, 4), NOTHING);
  }

  /** Checks that bytes exist; returns the offset of the first. */
  int require(long address, long bytes, boolean defined) {
    long offset = address - base;
    if (offset < 0 || offset + bytes > 4L * words.length) {
      throw outside(address, bytes);
    }
    for (int w = (int) (offset >>> 2); w < Math.ceilDiv(offset + bytes, 4); w++) {
      if (states[w] == NOTHING) {
        throw outside(address, bytes);
      }
      if (defined && states[w] == UNDEFINED) {
        throw undefined(base + 4L * w, bytes);
      }
    }
    return (int) offset;
  }

  /** Notes that bytes that exist now have content. */
  void define(int offset, long bytes) {
    Arrays.fill(states, offset >>> 2, (int) Math.ceilDiv(offset + bytes, 4), DEFINED);
  }

  private SimulatedFault outside(long address, long bytes) {
    return new SimulatedFault(
        SimulatedFault.Kind.OUT_OF_BOUNDS,
        "%d bytes of %s memory at 0x%x do not exist".formatted(bytes, name, address));
  }

  private SimulatedFault undefined(long address, long bytes) {
    return new SimulatedFault(
        SimulatedFault.Kind.UNINITIALISED,
        "%d bytes of %s memory at 0x%x were never written".formatted(bytes, name, address));
  }

  private int aligned(long address, int bytes) {
    long offset = address - base;
    if (offset < 0 || offset > 4L * words.length - bytes) {
      throw outside(address, bytes);
    }
    if ((offset & (bytes - 1)) != 0) {
      throw new SimulatedFault(
          SimulatedFault.Kind.MISALIGNED,
          "%d bytes of %s memory at 0x%x".formatted(bytes, name, address));
    }
    return (int) offset;
  }

  private AccessLog page(int word) {
    AccessLog page = pages.getPlain(word / PAGE);
    if (page == null) {
      pages.compareAndSet(word / PAGE, null, new AccessLog(PAGE));
      page = pages.get(word / PAGE);
    }
    return page;
  }

  private void orderly(String race, int word) {
    if (race != null) {
      throw new SimulatedFault(
          SimulatedFault.Kind.RACE,
          "%s at 0x%x of %s memory without a barrier between them"
              .formatted(race, base + 4L * word, name));
    }
  }

  /** Checks a read of 1, 2, 4, 8 or 16 bytes; returns the offset of the first. */
  int read(long address, int bytes, SimulatedThread by, boolean ordered) {
    int offset = aligned(address, bytes);
    int last = offset + bytes - 1 >>> 2;
    for (int w = offset >>> 2; w <= last; w++) {
      if (states[w] != DEFINED) {
        throw states[w] == NOTHING ? outside(address, bytes) : undefined(address, bytes);
      }
      if (logged && !ordered && bytes >= 4) {
        orderly(page(w).read(w % PAGE, by.stamp), w);
      }
    }
    return offset;
  }

  /** Checks a write of 1, 2, 4, 8 or 16 bytes; returns the offset of the first. */
  int write(long address, int bytes, SimulatedThread by, boolean ordered) {
    int offset = aligned(address, bytes);
    if (readOnly) {
      throw new SimulatedFault(
          SimulatedFault.Kind.READ_ONLY, "%s memory at 0x%x".formatted(name, address));
    }
    int last = offset + bytes - 1 >>> 2;
    for (int w = offset >>> 2; w <= last; w++) {
      if (states[w] == NOTHING) {
        throw outside(address, bytes);
      }
      states[w] = DEFINED;
      if (logged && bytes >= 4) {
        AccessLog page = page(w);
        orderly(ordered ? page.atomic(w % PAGE, by.stamp) : page.write(w % PAGE, by.stamp), w);
      }
    }
    return offset;
  }

  /** An atomic update of 4 or 8 bytes; returns what was there, extended by the type. */
  long atomic(String operation, PtxType type, long address, long x, long y, SimulatedThread by) {
    int at = aligned(address, type.bytes());
    require(address, type.bytes(), true);
    write(address, type.bytes(), by, true);
    if (type.wide()) {
      synchronized (words) {
        long old = Words.load64(words, at);
        Words.store64(words, at, updated(operation, type, old, x, y));
        return old;
      }
    }
    while (true) {
      int old = (int) WORD.getVolatile(words, at >>> 2);
      long extended = type.signed ? old : Integer.toUnsignedLong(old);
      if (WORD.compareAndSet(
          words, at >>> 2, old, (int) updated(operation, type, extended, x, y))) {
        return extended;
      }
    }
  }

  private static long updated(String operation, PtxType type, long old, long x, long y) {
    boolean unsigned = type.wide() && !type.signed;
    return switch (operation) {
      case "add" -> old + x;
      case "exch" -> x;
      case "cas" -> old == x ? y : old;
      case "and" -> old & x;
      case "or" -> old | x;
      case "xor" -> old ^ x;
      case "min" -> unsigned ? Semantics.minUnsigned(old, x) : Math.min(old, x);
      case "max" -> unsigned ? Semantics.maxUnsigned(old, x) : Math.max(old, x);
      case "inc" -> old >= x ? 0 : old + 1;
      case "dec" -> old == 0 || old > x ? x : old - 1;
      default -> throw new IllegalArgumentException(operation);
    };
  }
}
