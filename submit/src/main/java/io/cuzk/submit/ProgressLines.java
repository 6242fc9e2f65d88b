package io.cuzk.submit;

import io.cuzk.jobs.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Progress with the time left on stderr: a bar on a terminal, else a plain line a stage and one at
 * most every ten seconds. Thread-safe.
 */
final class ProgressLines implements Progress, AutoCloseable {
  private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();

  private final PrintWriter err;
  private final boolean terminal;
  private ProgressBar bar;
  private String stage = "";
  private long total;
  private long begun;
  private long spoken;
  private long reached;

  private ProgressLines(PrintWriter err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  static ProgressLines on(PrintWriter err) {
    boolean terminal =
        System.console() != null && System.console().isTerminal() && System.getenv("CI") == null;
    return new ProgressLines(err, terminal);
  }

  @Override
  public void stage(String name, int steps) {
    begin(name, steps);
  }

  private synchronized void begin(String name, long steps) {
    close();
    stage = name;
    total = steps;
    begun = System.nanoTime();
    spoken = begun;
    reached = 0;
    if (terminal && steps > 1) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(name)
              .setInitialMax(steps)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(500)
              .setConsumer(new ConsoleProgressBarConsumer(System.err))
              .build();
    } else {
      line(name + (steps > 1 ? ": " + steps : "") + " …");
    }
  }

  @Override
  public void advanced(int done) {
    at(done);
  }

  private synchronized void at(long done) {
    if (bar != null) {
      bar.stepTo(done);
      return;
    }
    long now = System.nanoTime();
    if (done > reached && total > 1 && (done == total || now - spoken > QUIET_NANOS)) {
      reached = done;
      spoken = now;
      double left = (now - begun) * 1e-9 * (total - done) / done;
      String eta = done == total ? "" : ", " + seconds(left) + " left";
      line(
          String.format(
              Locale.ROOT, "%s: %d %% (%d of %d)%s", stage, 100 * done / total, done, total, eta));
    }
  }

  /** For progress that names its stage with every step. */
  void advanced(String name, long done, long of) {
    synchronized (this) {
      if (!name.equals(stage)) {
        begin(name, of);
      }
      at(done);
    }
  }

  @Override
  public synchronized void note(String text) {
    line(text);
  }

  private void line(String text) {
    err.println("cuzk: " + text);
    err.flush();
  }

  private static String seconds(double value) {
    long whole = Math.round(value);
    return whole < 120 ? whole + " s" : whole / 60 + " min";
  }

  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
