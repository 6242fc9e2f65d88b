package io.cuzk.gpu;

/** A mark in a stream. */
public interface DeviceEvent extends AutoCloseable {
  /** Happens when all work given to the stream so far is done. */
  void record(DeviceStream stream);

  /** Waits until it has happened. */
  void synchronize();

  /** Whether it has happened. */
  boolean happened();

  /** Milliseconds on the device's clock since an earlier event; both must have happened. */
  double millisSince(DeviceEvent earlier);

  @Override
  void close();
}
