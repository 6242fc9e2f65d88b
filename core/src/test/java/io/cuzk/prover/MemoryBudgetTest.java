package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MemoryBudgetTest {
  @Test
  void whatCanNeverFitIsRefusedAtOnceWithBothFigures() {
    MemoryBudget budget = MemoryBudget.of(100L << 20);
    assertThatThrownBy(
            () -> budget.reserve("s-t01000-1 partition 0", 160L << 20, PartitionOrder.of(0)))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("s-t01000-1 partition 0 needs 167772160 bytes (160 MiB)")
        .hasMessageContaining("budget of this process is 104857600 bytes (100 MiB)")
        .hasMessageContaining("60 MiB more");
    assertThat(budget.used()).isZero();
    assertThat(budget.waiting()).isZero();
  }

  @Test
  void moreThanTheProcessCanHaveIsNoBudget() {
    MemoryLimit limit = new MemoryLimit(16L << 30, "/sys/fs/cgroup/memory.max");
    long heap = 12L << 30;
    assertThat(MemoryBudget.of(heap, false, heap, limit, 0).total()).isEqualTo(heap);
    assertThatThrownBy(() -> MemoryBudget.of(64L << 30, false, heap, limit, 0))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("set is 68719476736 bytes (65536 MiB)")
        .hasMessageContaining("the heap of this process")
        .hasMessageContaining("12884901888 bytes (12288 MiB)")
        .hasMessageContaining("at most three quarters of that (9216 MiB)");
    // copies outside the heap may be more than it, but not more than the container
    assertThat(MemoryBudget.of(14L << 30, true, heap, limit, 1L << 30).total())
        .isEqualTo(14L << 30);
    assertThatThrownBy(() -> MemoryBudget.of(15L << 30, true, heap, limit, 1L << 30))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("(15360 MiB), but /sys/fs/cgroup/memory.max of 16384 MiB leaves")
        .hasMessageContaining("leaves 14848 MiB beside the 1536 MiB outside the heap");
    assertThatThrownBy(
            () -> MemoryBudget.of(4L << 30, false, heap, new MemoryLimit(4L << 30, "x"), 0))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("x of 4096 MiB leaves 3584 MiB");
  }

  @Test
  void theFirstInTheOrderIsServedFirstAndNotOvertakenByASmallerOne() throws Exception {
    MemoryBudget budget = MemoryBudget.of(10);
    MemoryBudget.Reservation all = budget.reserve("all", 10, PartitionOrder.of(0));
    List<String> served = Collections.synchronizedList(new ArrayList<>());
    List<PartitionOrder> orders =
        List.of(
            PartitionOrder.of(7),
            PartitionOrder.of(3),
            new PartitionOrder(0, 5_000, 9),
            new PartitionOrder(1, PartitionOrder.NO_DEADLINE, 20),
            new PartitionOrder(0, 4_000, 11));
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> all5 = new ArrayList<>();
      for (PartitionOrder order : orders) {
        all5.add(
            threads.submit(
                () -> {
                  // each takes more than half, so that one follows the other
                  try (var mine = budget.reserve("p", 6, order)) {
                    served.add(order.priority() + "/" + order.sequence());
                  }
                }));
        while (budget.waiting() < all5.size()) {
          Thread.onSpinWait();
        }
      }
      Future<?> small =
          threads.submit(() -> budget.reserve("small", 1, PartitionOrder.of(100)).close());
      while (budget.waiting() < 6) {
        Thread.onSpinWait();
      }
      all.shrinkTo(7); // 3 are free: enough for the small one, which is the last in the line
      assertThat(budget.waiting()).isEqualTo(6);
      all.close();
      for (Future<?> each : all5) {
        each.get();
      }
      small.get();
    }
    assertThat(served).containsExactly("1/20", "0/11", "0/9", "0/3", "0/7");
    assertThat(budget.used()).isZero();
  }

  @Test
  void manyThreadsNeverHoldMoreThanTheBudget() throws Exception {
    MemoryBudget budget = MemoryBudget.of(1000);
    AtomicLong held = new AtomicLong();
    AtomicLong most = new AtomicLong();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        SplittableRandom random = new SplittableRandom(t);
        done.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 500; i++) {
                    long bytes = random.nextLong(1, 1001);
                    try (var mine = budget.reserve("p", bytes, PartitionOrder.of(i))) {
                      most.accumulateAndGet(held.addAndGet(bytes), Math::max);
                      held.addAndGet(-bytes);
                      mine.shrinkTo(bytes / 2);
                    }
                  }
                }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    }
    assertThat(most.get()).isBetween(1L, 1000L);
    assertThat(budget.used()).isZero();
  }

  /** What is held by work that was given up may come back late or never. */
  @Test
  void whoDoesNotFitBesideWhatHangsWaitsForTheOthersAndIsRefusedThen() throws Exception {
    MemoryBudget budget = MemoryBudget.of(10);
    CompletableFuture<Void> work = new CompletableFuture<>();
    CompletableFuture<Void> givenUp = new CompletableFuture<>();
    MemoryBudget.Reservation hangs = budget.reserve("hangs", 6, PartitionOrder.of(0));
    hangs.keepUntil(work, givenUp);
    hangs.close();
    MemoryBudget.Reservation other = budget.reserve("other", 4, PartitionOrder.of(1));
    FutureTask<MemoryBudget.Reservation> large =
        new FutureTask<>(() -> budget.reserve("large", 5, PartitionOrder.of(2)));
    Thread.ofPlatform().daemon().start(large);
    while (budget.waiting() < 1) {
      Thread.onSpinWait();
    }
    givenUp.complete(null);
    assertThat(large.isDone()).as("another one may give back enough").isFalse();
    other.close();
    assertThatThrownBy(large::get)
        .hasCauseInstanceOf(DeviceException.class)
        .hasMessageContaining("large needs 5 bytes")
        .hasMessageContaining("of the 10 bytes (0 MiB) of the memory budget 6 bytes (0 MiB) are");
    budget.reserve("small", 4, PartitionOrder.of(3)).close();
    work.complete(null); // it ends after all
    assertThat(budget.used()).isZero();
    budget.reserve("large", 10, PartitionOrder.of(4)).close();
  }

  @Test
  void anInterruptedWaiterLeavesTheLine() throws Exception {
    MemoryBudget budget = MemoryBudget.of(10);
    try (var all = budget.reserve("all", 10, PartitionOrder.of(0))) {
      List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
      Thread waiter =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      budget.reserve("p", 1, PartitionOrder.of(1)).close();
                    } catch (InfrastructureException e) {
                      thrown.add(e);
                    }
                  });
      while (budget.waiting() == 0) {
        Thread.onSpinWait();
      }
      waiter.interrupt();
      waiter.join();
      assertThat(thrown).hasSize(1);
      assertThat(budget.waiting()).isZero();
      assertThat(all.bytes()).isEqualTo(10);
    }
  }
}
