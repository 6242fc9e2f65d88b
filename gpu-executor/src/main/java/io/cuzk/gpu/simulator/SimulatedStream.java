package io.cuzk.gpu.simulator;

import io.cuzk.gpu.DeviceEvent;
import io.cuzk.gpu.DeviceStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Work of a {@link SimulatedDevice} that nobody has waited for yet. */
final class SimulatedStream implements DeviceStream {
  /**
   * A piece of work.
   *
   * @param after an event that it only waits for; null for any other work
   * @param addresses that it was given
   */
  private record Work(Runnable body, SimulatedEvent.Mark after, long[] addresses) {
    boolean mentions(long from, long to) {
      return Arrays.stream(addresses).anyMatch(each -> each >= from && each < to);
    }
  }

  private final SimulatedDevice device;
  private final Deque<Work> waiting = new ArrayDeque<>();
  private long added;
  private long latest;
  private long done;

  SimulatedStream(SimulatedDevice device) {
    this.device = device;
  }

  void add(Runnable work, long... addresses) {
    add(new Work(work, null, addresses));
  }

  private void add(Work work) {
    waiting.add(work);
    added++;
    latest = device.next();
  }

  /** How many pieces of work were given so far. */
  long added() {
    return added;
  }

  /** When, among the work of all streams, this one was given its last. */
  long latest() {
    return latest;
  }

  long done() {
    return done;
  }

  /** Does the first pieces of work up to a number. */
  void runTo(long number) {
    while (done < number) {
      Work work = waiting.remove();
      done++;
      device.perform(work.body);
    }
  }

  /** Does what was given up to the last work on a range of memory. */
  void runUsersOf(long from, long to) {
    long last = done;
    long number = done;
    for (Work work : waiting) {
      number++;
      if (work.mentions(from, to)) {
        last = number;
      }
    }
    runTo(last);
  }

  /** Does what waits for no event of other streams that has not happened. */
  void runReady() {
    while (!waiting.isEmpty()) {
      SimulatedEvent.Mark mark = waiting.element().after;
      if (mark != null && mark.stream().done() < mark.number()) {
        return;
      }
      runTo(done + 1);
    }
  }

  void runAll() {
    runTo(added);
  }

  @Override
  public void synchronize() {
    synchronized (device) {
      device.requireSound();
      device.beforeWaitingFor(this);
      runAll();
    }
  }

  @Override
  public void await(DeviceEvent event) {
    synchronized (device) {
      device.requireSound();
      SimulatedEvent.Mark mark = ((SimulatedEvent) event).mark();
      if (mark != null) {
        add(new Work(() -> mark.stream().runTo(mark.number()), mark, new long[0]));
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
