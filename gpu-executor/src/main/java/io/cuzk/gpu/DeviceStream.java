package io.cuzk.gpu;

/** Work of a device that runs in the order in which it was given. */
public interface DeviceStream extends AutoCloseable {
  /** Waits until all work given to the stream is done. */
  void synchronize();

  /** What is given to this stream from now on waits until the recorded event has happened. */
  void await(DeviceEvent event);

  /** Waits for the work of the stream and gives it back. */
  @Override
  void close();
}
