package io.cuzk.bench;

import io.cuzk.InvalidInputException;

/** Refuses what cannot fit before anything is allocated. */
final class Heap {
  private Heap() {}

  /**
   * Compares with half of the heap: the rest is for tables and scratch memory.
   *
   * @throws InvalidInputException saying how much is missing
   */
  static void require(String what, long bytes) {
    long heap = Runtime.getRuntime().maxMemory();
    if (bytes > heap / 2) {
      throw new InvalidInputException(
          "%s: %d MiB are needed, more than half of this JVM's heap of %d MiB: set CUZK_HEAP=%dg"
              .formatted(what, bytes >> 20, heap >> 20, 1 + (2 * bytes >> 30)));
    }
  }
}
