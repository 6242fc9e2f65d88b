package io.cuzk.gpu;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What was taken of a device so far, by something that is still being made: given back, the last
 * first, if the rest cannot be had.
 */
final class Taken {
  private final Deque<AutoCloseable> things = new ArrayDeque<>();

  /** Notes it. */
  <T extends AutoCloseable> T take(T thing) {
    things.push(thing);
    return thing;
  }

  /**
   * Gives back everything, also where one thing resists.
   *
   * @param failure why; gets what resists as suppressed
   */
  void giveBack(Throwable failure) {
    for (AutoCloseable thing : things) {
      try {
        thing.close();
      } catch (Exception e) {
        failure.addSuppressed(e);
      }
    }
    things.clear();
  }
}
