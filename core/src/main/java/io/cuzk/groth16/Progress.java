package io.cuzk.groth16;

/** Hears how far a long computation is. May be called from any thread, not too often. */
@FunctionalInterface
public interface Progress {
  /** Hears nothing. */
  Progress NONE = (what, done, total) -> {};

  /**
   * Of {@code total} units of the stage {@code what}, {@code done} are done.
   *
   * @param what the stage, such as {@code section h}
   */
  void advanced(String what, long done, long total);
}
