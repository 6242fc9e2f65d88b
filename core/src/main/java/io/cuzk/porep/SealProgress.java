package io.cuzk.porep;

/** Hears how far sealing is: from any of its threads, one call at a time, not too often. */
@FunctionalInterface
public interface SealProgress {
  /** Hears nothing. */
  SealProgress NONE = (stage, done, total) -> {};

  /** Of {@code total} units of the stage, {@code done} are done. */
  void advanced(String stage, long done, long total);
}
