package io.cuzk.gpu.simulator;

import io.cuzk.DeviceException;
import io.cuzk.gpu.DeviceEvent;
import io.cuzk.gpu.DeviceStream;

/** A mark in a {@link SimulatedStream}. */
final class SimulatedEvent implements DeviceEvent {
  /** The work of a stream before which it lies. */
  record Mark(SimulatedStream stream, long number) {}

  private final SimulatedDevice device;
  private Mark mark;
  private long nanos;

  SimulatedEvent(SimulatedDevice device) {
    this.device = device;
  }

  Mark mark() {
    return mark;
  }

  @Override
  public void record(DeviceStream stream) {
    synchronized (device) {
      device.requireSound();
      SimulatedStream in = (SimulatedStream) stream;
      in.add(() -> nanos = System.nanoTime());
      mark = new Mark(in, in.added());
    }
  }

  @Override
  public void synchronize() {
    synchronized (device) {
      device.requireSound();
      if (mark != null) {
        device.beforeWaitingFor(mark.stream);
        mark.stream.runTo(mark.number);
      }
    }
  }

  /** Asking lets the stream do one more piece of work, so that who asks again gets on. */
  @Override
  public boolean happened() {
    synchronized (device) {
      device.requireSound();
      if (mark == null || mark.stream.done() >= mark.number) {
        return true;
      }
      mark.stream.runTo(mark.stream.done() + 1);
      return false;
    }
  }

  @Override
  public double millisSince(DeviceEvent earlier) {
    synchronized (device) {
      device.requireSound();
      SimulatedEvent first = (SimulatedEvent) earlier;
      for (SimulatedEvent event : new SimulatedEvent[] {first, this}) {
        if (event.mark == null || event.mark.stream.done() < event.mark.number) {
          throw new DeviceException(
              DeviceException.Kind.REFUSED, "an event has not happened yet or was never recorded");
        }
      }
      return (nanos - first.nanos) / 1e6;
    }
  }

  @Override
  public void close() {}
}
