package io.cuzk.jobs;

import io.cuzk.parallel.Workers;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The compute pools of one proving task. Nobody else computes on them while it has them: tasks that
 * run at once keep the cores busy that each of them was given, and the CPU time of the pools is the
 * task's own. They are kept for the next one.
 */
final class TaskPools {
  private static final Map<Integer, Deque<TaskPools>> FREE = new ConcurrentHashMap<>();

  private final int threads;
  private final Workers synthesis;
  private final Workers proving;

  private TaskPools(int threads) {
    this.threads = threads;
    synthesis = Workers.of(threads);
    proving = Workers.of(threads);
  }

  private static Deque<TaskPools> free(int threads) {
    return FREE.computeIfAbsent(threads, key -> new ConcurrentLinkedDeque<>());
  }

  /** Pools of that many threads that nobody has, for the caller to give back or to end. */
  static TaskPools take(int threads) {
    TaskPools kept = free(threads).pollFirst();
    return kept == null ? new TaskPools(threads) : kept;
  }

  /** To synthesise on. */
  Workers synthesis() {
    return synthesis;
  }

  /** For what proving does on the CPU. */
  Workers proving() {
    return proving;
  }

  /** Gives them to whoever comes next; nothing may run on them any more. */
  void giveBack() {
    free(threads).addFirst(this);
  }

  /** Ends them, with whatever a task that failed may have left at work. */
  void end() {
    synthesis.close();
    proving.close();
  }

  /** Ends all that nobody has. */
  static void endFree() {
    for (Deque<TaskPools> kept : FREE.values()) {
      for (TaskPools each = kept.pollFirst(); each != null; each = kept.pollFirst()) {
        each.end();
      }
    }
  }
}
