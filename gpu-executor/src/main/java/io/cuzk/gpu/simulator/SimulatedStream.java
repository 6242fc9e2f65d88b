package io.cuzk.gpu.simulator;

import io.cuzk.gpu.DeviceEvent;
import io.cuzk.gpu.DeviceStream;
import java.util.ArrayDeque;
import java.util.Deque;

/** Work of a {@link SimulatedDevice} that nobody has waited for yet. */
final class SimulatedStream implements DeviceStream {
  private final SimulatedDevice device;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private long added;
  private long done;

  SimulatedStream(SimulatedDevice device) {
    this.device = device;
  }

  void add(Runnable work) {
    waiting.add(work);
    added++;
  }

  /** How many pieces of work were given so far. */
  long added() {
    return added;
  }

  long done() {
    return done;
  }

  /** Does the first pieces of work up to a number. */
  void runTo(long number) {
    while (done < number) {
      Runnable work = waiting.remove();
      done++;
      device.perform(work);
    }
  }

  void runAll() {
    runTo(added);
  }

  @Override
  public void synchronize() {
    synchronized (device) {
      device.requireSound();
      runAll();
    }
  }

  @Override
  public void await(DeviceEvent event) {
    synchronized (device) {
      device.requireSound();
      SimulatedEvent.Mark mark = ((SimulatedEvent) event).mark();
      if (mark != null) {
        add(() -> mark.stream().runTo(mark.number()));
      }
    }
  }

  @Override
  public void close() {
    synchronized (device) {
      try {
        if (device.usable()) {
          runAll();
        }
      } finally {
        device.forget(this);
      }
    }
  }
}
