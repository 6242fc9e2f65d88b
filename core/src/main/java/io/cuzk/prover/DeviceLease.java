package io.cuzk.prover;

import io.cuzk.CuzkException;
import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import io.cuzk.parallel.Workers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A device for one proof. */
public final class DeviceLease implements AutoCloseable {
  private final DevicePool pool;
  private final DeviceSlot slot;
  private final ProverBackend backend;
  private final String assigned;
  private CompletableFuture<?> work = CompletableFuture.completedFuture(null);
  private final CompletableFuture<Void> hung = new CompletableFuture<>();
  private boolean ended;

  DeviceLease(DevicePool pool, DeviceSlot slot, ProverBackend backend, String assigned) {
    this.pool = pool;
    this.slot = slot;
    this.backend = backend;
    this.assigned = assigned;
  }

  /** What proves there. */
  public ProverBackend backend() {
    return backend;
  }

  /** Of the device that is held; empty where devices are not assigned. */
  public Optional<String> address() {
    return pool.isAddressed() ? Optional.of(slot.address) : Optional.empty();
  }

  /** Whether another device is held than the one assigned, because that one is excluded. */
  public boolean isSubstitute() {
    return assigned != null && !assigned.equals(slot.address);
  }

  /** Whether one proof at a time runs here. */
  boolean isDevice() {
    return pool.isAddressed() || !pool.provider().concurrent();
  }

  /**
   * Runs something on the device, and waits so long for it. A call into a driver cannot be ended:
   * it has a thread of its own, and a device that does not answer is excluded and never given back,
   * also if the caller is interrupted meanwhile. Where many proofs run at once it is the caller's
   * own thread, without a limit.
   *
   * @param what for messages
   * @throws DeviceException if the device does not answer, or fails in a way of its own
   */
  public <T> T within(Duration limit, String what, Supplier<T> work) {
    pool.begins(slot);
    try {
      return isDevice() ? inTime(limit, what, work) : work.get();
    } finally {
      pool.ends(slot);
    }
  }

  private <T> T inTime(Duration limit, String what, Supplier<T> work) {
    CompletableFuture<T> done = new CompletableFuture<>();
    this.work = done;
    long begun = System.nanoTime();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("cuzk-device-" + slot.address)
            .start(() -> complete(done, work));
    try {
      return done.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      DeviceException hangs =
          new DeviceException(DeviceException.Kind.FATAL, noAnswer(limit, what), e);
      lose(hangs.getMessage());
      ended = true;
      thread.interrupt();
      throw hangs;
    } catch (InterruptedException e) {
      // The caller was cancelled, but the device is still at work: nobody may have it before. It
      // has what is left of its time: those who wait for it have no limit of their own.
      ended = true;
      done.whenComplete((result, failure) -> pool.release(slot));
      done.copy()
          .orTimeout(begun + limit.toNanos() - System.nanoTime(), TimeUnit.NANOSECONDS)
          .exceptionally(
              failure -> {
                if (!done.isDone()) {
                  lose(noAnswer(limit, what));
                }
                return null;
              });
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw new InfrastructureException(what + " was interrupted on " + named(), e);
    } catch (ExecutionException e) {
      throw unwrap(what, e.getCause());
    }
  }

  private String noAnswer(Duration limit, String what) {
    return "%s on %s: no answer within %d ms; the device hangs"
        .formatted(what, named(), limit.toMillis());
  }

  private void lose(String reason) {
    pool.lose(slot, reason);
    hung.complete(null);
  }

  /** The end of what was given to the device last, which outlives a limit that it passed. */
  CompletionStage<?> work() {
    return work;
  }

  /** Ends when the device is given up because its work passed its limit; else never. */
  CompletionStage<?> hung() {
    return hung;
  }

  private <T> void complete(CompletableFuture<T> done, Supplier<T> work) {
    try {
      T result = work.get();
      pool.workers().addCpuNanos(Workers.threadCpuNanos());
      done.complete(result);
    } catch (Throwable e) {
      done.completeExceptionally(e);
    }
  }

  private String named() {
    return "backend %s, device %s%s"
        .formatted(
            backend.name(),
            backend.device(),
            address().map(at -> " (address " + at + ")").orElse(""));
  }

  private RuntimeException unwrap(String what, Throwable cause) {
    return switch (cause) {
      case CuzkException known -> known;
      case OutOfMemoryError memory -> throw memory;
      case InternalError mapped -> throw mapped; // a mapped file was cut short: not the device
      default ->
          new DeviceException(
              DeviceException.Kind.REFUSED, "%s on %s: %s".formatted(what, named(), cause), cause);
    };
  }

  /** What the device made has verified: {@link DevicePool#GOOD_PROOFS_FORGIVE}. */
  public void verified() {
    pool.verified(slot);
  }

  /**
   * The device made a wrong proof or an error; the second time, or at once if the error says that
   * the device is lost, it is excluded.
   */
  public void failed(CuzkException failure) {
    pool.failed(slot, failure);
  }

  /** Gives the device back; a second time does nothing. */
  @Override
  public void close() {
    if (!ended) {
      ended = true;
      pool.release(slot);
    }
  }
}
