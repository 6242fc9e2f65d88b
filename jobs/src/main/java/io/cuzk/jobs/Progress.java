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

  /** Something worth a line. */
  void note(String line);
}
