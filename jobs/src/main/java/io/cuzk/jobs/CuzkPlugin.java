package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import java.time.Duration;
import java.util.Set;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * What Spark starts with every executor of this job ({@code spark.plugins}): it takes the devices
 * that the executor was assigned, proves the known-answer circuit on each, and reports to the
 * driver. There, an executor whose devices are all excluded is given back to the cluster, unless it
 * is the last one; one that has lost its device is replaced. Messages are JSON text.
 */
public final class CuzkPlugin implements SparkPlugin {
  private static volatile ClusterHealth health = new ClusterHealth();
  private static volatile PhaseTotals phases = new PhaseTotals();

  /** The driver's side; null in processes that drive nothing. */
  private static volatile DriverSide driver;

  static void begin(DriverSide side) {
    driver = side;
    health = side.health();
    phases = side.phases();
  }

  static void end() {
    driver = null;
    health = new ClusterHealth();
  }

  /** What the driver of this process knows; empty where the plugin is not installed. */
  static ClusterHealth health() {
    return health;
  }

  /** On the driver: a run begins. */
  static void beginRun() {
    DriverSide here = driver;
    if (here == null || here.isLocal()) {
      health.beginRun(0);
    } else {
      here.beginRun();
    }
  }

  /** The phases of what this driver's executors proved; empty unless the run is watched. */
  static PhaseTotals phases() {
    return phases;
  }

  /**
   * Waits until so many executors have reported a usable device.
   *
   * @return how many have, in the end
   */
  public static int awaitExecutors(int count, Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    while (health.usable().size() < count && System.nanoTime() < until) {
      pause();
    }
    return health.usable().size();
  }

  /**
   * Waits for an executor with a usable device that is none of these.
   *
   * @return whether there is one
   */
  static boolean awaitAnother(Set<String> executorIds, Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    while (health.usable().stream().allMatch(each -> executorIds.contains(each.executorId()))) {
      if (System.nanoTime() > until) {
        return false;
      }
      pause();
    }
    return true;
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("interrupted while waiting for executors", e);
    }
  }

  /**
   * On the driver: a task reported that its process has lost its devices. A fresh process may be
   * able to use them, so Spark is made to put one in its place; a device that is lost a second time
   * is excluded, and so is one of a local master, whose process is this one.
   */
  static void lost(TaskReport report) {
    DriverSide here = driver;
    if (here == null || here.isLocal()) {
      health.failed(report.device(), report.reason());
      health.exhausted(report.executor(), report.device(), report.reason());
      return;
    }
    switch (health.lost(report.executor(), report.device(), report.reason())) {
      case REPLACE -> here.replace(report.executor());
      case EXCLUDED -> here.giveBackUseless();
      case KNOWN -> {}
    }
  }

  /**
   * On the driver: tasks find that their process has lost its devices, and the one that lost them
   * does not report it: it was cancelled. The process is replaced without a strike against the
   * device; the only one of a local master is not.
   */
  static void useless(TaskReport report) {
    DriverSide here = driver;
    if (health.usable().stream().noneMatch(each -> each.executorId().equals(report.executor()))) {
      return; // that is known
    }
    if (here == null || here.isLocal()) {
      health.exhausted(report.executor(), report.device(), report.reason());
    } else {
      replace(report.executor());
    }
  }

  /**
   * On the driver: a device made a bad proof or an error; the second time it is excluded, whatever
   * the process that has it now thinks of it.
   */
  static void failed(String device, String reason) {
    health.failed(device, reason);
    DriverSide here = driver;
    if (here != null && !here.isLocal()) {
      here.giveBackUseless();
    }
  }

  /** On the driver of a cluster: has a fresh process put in the place of an executor. */
  static void replace(String executor) {
    DriverSide here = driver;
    if (here != null && !here.isLocal()) {
      health.replacing(executor);
      here.replace(executor);
    }
  }

  /** On the driver: gives executors back that held their place for one who came, or never will. */
  static void tend() {
    DriverSide here = driver;
    if (here != null) {
      here.giveBackUseless();
    }
  }

  /** On the driver of a cluster: gives an executor back. */
  static void giveBack(String executor) {
    DriverSide here = driver;
    if (here != null && !here.isLocal()) {
      here.giveBack(executor);
    }
  }

  @Override
  public DriverPlugin driverPlugin() {
    return new DriverSide();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorSide();
  }
}
