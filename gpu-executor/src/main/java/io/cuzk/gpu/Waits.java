package io.cuzk.gpu;

import io.cuzk.prover.Phase;
import io.cuzk.prover.PhaseTimer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * What the host does and waits for around one proof's kernels, under the original's names: until
 * the device is its own, for it, how long it has it, and what giving memory back takes.
 */
final class Waits {
  private final long entered = System.nanoTime();
  private final long enteredEpoch = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
  private long waited;
  private long held;
  private long closing;

  /** Takes a lock, counting the wait. */
  void lock(Lock lock) {
    long begun = System.nanoTime();
    lock.lock();
    waited += System.nanoTime() - begun;
  }

  /** Runs what waits for something, as a phase. */
  void run(String phase, Runnable work, PhaseTimer timer) {
    long begun = System.nanoTime();
    work.run();
    add(phase, begun, System.nanoTime(), timer);
  }

  /** The kernels of this proof are with the device, and nobody else's. */
  void began(PhaseTimer timer) {
    held = System.nanoTime();
    add("pre_lock_cpu", entered, held - waited, timer);
    add("mutex_wait", held - waited, held, timer);
  }

  /** The kernels have ended. */
  void closing() {
    closing = System.nanoTime();
  }

  /** The memory is free. */
  void closed(PhaseTimer timer) {
    long now = System.nanoTime();
    add("async_dealloc", closing, now, timer);
    add("mutex_held", held, now, timer);
  }

  private void add(String phase, long begun, long ended, PhaseTimer timer) {
    timer.add(new Phase(phase, enteredEpoch + (begun - entered), ended - begun, 0));
  }
}
