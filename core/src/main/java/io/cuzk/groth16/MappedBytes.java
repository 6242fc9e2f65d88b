package io.cuzk.groth16;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A section of a mapped file that many threads read through once a proof. Pages that were read
 * leave the process's memory again every {@value #RESIDENT} bytes; they stay in the page cache, and
 * a page that is read again is mapped again.
 */
final class MappedBytes {
  private static final long RESIDENT = 64L << 20;

  private final MemorySegment segment;
  private final AtomicLong taken = new AtomicLong();

  MappedBytes(MemorySegment segment) {
    this.segment = segment;
  }

  MemorySegment segment() {
    return segment;
  }

  long size() {
    return segment.byteSize();
  }

  /** Tells that so many bytes were read. */
  void taken(long bytes) {
    long now = taken.addAndGet(bytes);
    if (now / RESIDENT != (now - bytes) / RESIDENT) {
      unload();
    }
  }

  /** Lets go of what is mapped in; other threads may be reading. */
  void unload() {
    if (segment.isMapped() && segment.byteSize() > 0) {
      segment.unload();
    }
  }
}
