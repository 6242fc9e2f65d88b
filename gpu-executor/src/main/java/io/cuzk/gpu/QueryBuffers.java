package io.cuzk.gpu;

import io.cuzk.field.Fr;

/**
 * The scalars of one query on a device: its bits, and the others with the places of their points.
 */
final class QueryBuffers implements AutoCloseable {
  private final QueryValues values;
  private final DeviceBuffer memory;
  private final DeviceBuffer ones;
  private final DeviceBuffer scalars;
  private final DeviceBuffer places;

  private QueryBuffers(
      QueryValues values,
      DeviceBuffer memory,
      DeviceBuffer ones,
      DeviceBuffer scalars,
      DeviceBuffer places) {
    this.values = values;
    this.memory = memory;
    this.ones = ones;
    this.scalars = scalars;
    this.places = places;
  }

  /** Device memory that they take. */
  static long bytes(QueryValues values) {
    int n = values.places().length;
    DeviceArena arena = new DeviceArena(null);
    arena.take((long) Fr.BYTES * n);
    arena.take(4L * n);
    arena.take(8L * values.ones().length);
    return arena.used();
  }

  /** Sends them over. */
  static QueryBuffers upload(GpuDevice device, Staging staging, QueryValues values) {
    int n = values.places().length;
    DeviceBuffer memory = device.allocate(bytes(values));
    DeviceArena arena = new DeviceArena(memory);
    DeviceBuffer scalars = arena.take((long) Fr.BYTES * n);
    DeviceBuffer places = arena.take(4L * n);
    DeviceBuffer ones = arena.take(8L * values.ones().length);
    try {
      staging.longs(scalars, values.values(), n * Fr.WORDS);
      staging.ints(places, values.places());
      staging.longs(ones, values.ones(), values.ones().length);
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
    return new QueryBuffers(values, memory, ones, scalars, places);
  }

  /** As the host has them. */
  QueryValues values() {
    return values;
  }

  /** A bit for each point behind those of the inputs. */
  DeviceBuffer ones() {
    return ones;
  }

  /** The other scalars. */
  DeviceScalars scalars() {
    return DeviceScalars.list(scalars, values.places().length);
  }

  /** Which points those belong to. */
  DeviceBuffer places() {
    return places;
  }

  @Override
  public void close() {
    memory.close();
  }
}
