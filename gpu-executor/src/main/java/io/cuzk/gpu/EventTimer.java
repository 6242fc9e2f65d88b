package io.cuzk.gpu;

import io.cuzk.parallel.Workers;
import io.cuzk.prover.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Times what runs on a device by the device's own events, which need no wait of the host. A phase
 * that is given in several pieces is their sum. Belongs to one thread.
 */
final class EventTimer implements AutoCloseable {
  /** Work between two events. */
  private record Span(List<String> phases, DeviceEvent begin, DeviceEvent end, long cpuNanos) {}

  private final GpuDevice device;
  private final DeviceEvent origin;
  private final long originNanos;
  private final List<Span> spans = new ArrayList<>();

  /**
   * A timer whose time begins now. The stream is the caller's own meanwhile: what another one gave
   * to it would delay the device's begin behind the host's.
   */
  EventTimer(GpuDevice device, DeviceStream stream) {
    this.device = device;
    origin = device.event();
    originNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    try {
      origin.record(stream);
    } catch (RuntimeException | Error e) {
      origin.close();
      throw e;
    }
  }

  /** Runs what gives work to a stream; the time from its begin to its end is these phases'. */
  <T> T time(DeviceStream stream, Supplier<T> work, String... phases) {
    DeviceEvent begin = device.event();
    DeviceEvent end = device.event();
    long cpu = Workers.threadCpuNanos();
    begin.record(stream);
    try {
      return work.get();
    } finally {
      end.record(stream);
      spans.add(new Span(List.of(phases), begin, end, Workers.threadCpuNanos() - cpu));
    }
  }

  /** The same without a result. */
  void run(DeviceStream stream, Runnable work, String... phases) {
    time(
        stream,
        () -> {
          work.run();
          return null;
        },
        phases);
  }

  /** The phases, in the order of their first pieces; all streams must have been synchronised. */
  List<Phase> phases() {
    Map<String, Phase> sums = new LinkedHashMap<>();
    for (Span span : spans) {
      long start = originNanos + nanos(span.begin.millisSince(origin));
      long wall = nanos(span.end.millisSince(span.begin));
      for (String name : span.phases) {
        sums.merge(
            name,
            new Phase(name, start, wall, span.cpuNanos),
            (sum, piece) ->
                new Phase(
                    name,
                    sum.startNanos(),
                    sum.wallNanos() + piece.wallNanos(),
                    sum.cpuNanos() + piece.cpuNanos()));
      }
    }
    return List.copyOf(sums.values());
  }

  /** From the begin of a phase's first piece to the end of another one's last. */
  Phase across(String name, String first, String last) {
    Span from =
        spans.stream().filter(span -> span.phases.contains(first)).findFirst().orElseThrow();
    Span to =
        spans.reversed().stream()
            .filter(span -> span.phases.contains(last))
            .findFirst()
            .orElseThrow();
    return new Phase(
        name,
        originNanos + nanos(from.begin.millisSince(origin)),
        nanos(to.end.millisSince(from.begin)),
        0);
  }

  private static long nanos(double millis) {
    return Math.max(0, Math.round(millis * 1e6)); // events have a resolution of half a microsecond
  }

  @Override
  public void close() {
    origin.close();
    for (Span span : spans) {
      span.begin.close();
      span.end.close();
    }
  }
}
