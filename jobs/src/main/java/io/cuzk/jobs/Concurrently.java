package io.cuzk.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Asks a file system many small questions side by side: on HDFS each costs a millisecond of
 * waiting, and a run of 100,000 sectors has several for each.
 */
final class Concurrently {
  private static final int THREADS = 32;

  /** Below this many the threads cost more than they save. */
  private static final int FEW = 16;

  private Concurrently() {}

  /**
   * Applies {@code question} to each item; answers in the items' order.
   *
   * @throws RuntimeException the first failure, in the items' order; the others are still asked
   */
  static <T, R> List<R> map(List<T> items, Function<T, R> question) {
    if (items.size() < FEW) {
      return items.stream().map(question).toList();
    }
    List<Future<R>> asked = new ArrayList<>(items.size());
    List<R> answers = new ArrayList<>(items.size());
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (T item : items) {
        asked.add(threads.submit(() -> question.apply(item)));
      }
      for (Future<R> each : asked) {
        answers.add(answer(each));
      }
    }
    return answers;
  }

  private static <R> R answer(Future<R> each) {
    try {
      return each.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
