package io.cuzk.jobs.fault;

import io.cuzk.jobs.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Does something to a run when it comes to a certain point. */
public final class Meddling implements Progress {
  /** The stage in which partitions are proved. */
  public static final String PROVING = "proving partitions";

  /** The stage in which C1 files are read. */
  public static final String CHECKING = "checking C1 files";

  private final String stage;
  private final Deed atBegin;
  private final StepDeed atStep;
  private volatile boolean there;

  private Meddling(String stage, Deed atBegin, StepDeed atStep) {
    this.stage = stage;
    this.atBegin = atBegin;
    this.atStep = atStep;
  }

  /** What is done. */
  @FunctionalInterface
  public interface Deed {
    /** Does it. */
    void run() throws IOException;
  }

  /** What is done when so many partitions are settled. */
  @FunctionalInterface
  public interface StepDeed {
    /**
     * Does it.
     *
     * @param done partitions that are settled
     */
    void run(int done) throws IOException;
  }

  /** When a stage begins. */
  public static Progress at(String stage, Deed deed) {
    return new Meddling(Objects.requireNonNull(stage), deed, done -> {});
  }

  /** Whenever one partition more is settled. */
  public static Progress asProved(StepDeed deed) {
    return new Meddling(PROVING, () -> {}, deed);
  }

  @Override
  public void stage(String name, int total) {
    there = name.equals(stage);
    if (there) {
      doIt(atBegin);
    }
  }

  @Override
  public void advanced(int done) {
    if (there) {
      doIt(() -> atStep.run(done));
    }
  }

  @Override
  public void note(String line) {}

  private static void doIt(Deed deed) {
    try {
      deed.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
