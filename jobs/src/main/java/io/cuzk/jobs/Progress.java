package io.cuzk.jobs;

/** Told how far a run is. Calls come from any thread. */
public interface Progress {
  /** Tells nobody. */
  Progress NONE =
      new Progress() {
        @Override
        public void stage(String name, int total) {}

        @Override
        public void advanced(int done) {}

        @Override
        public void note(String line) {}
      };

  /** A stage of {@code total} steps begins. */
  void stage(String name, int total);

  /** So many steps of the stage are done. */
  void advanced(int done);

  /**
   * A try at a partition ended.
   *
   * @param failureKind {@code input}, {@code proof}, {@code device} or {@code infrastructure}; null
   *     if it was proved
   * @param again whether it is tried again
   */
  default void tried(String failureKind, boolean again) {}

  /** Something worth a line. */
  void note(String line);
}
