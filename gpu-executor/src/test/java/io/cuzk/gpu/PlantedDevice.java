package io.cuzk.gpu;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/** A device between a backend and another device: forgets waits, and tells of what it is given. */
final class PlantedDevice {
  private final GpuDevice real;
  private final AtomicInteger awaits = new AtomicInteger();
  private IntPredicate forgotten = wait -> false;
  private Consumer<String> launching = kernel -> {};
  private Runnable uploading = () -> {};
  private String before;
  private long vector;
  private BiConsumer<GpuDevice, DeviceStream> first;

  private PlantedDevice(GpuDevice real) {
    this.real = real;
  }

  static PlantedDevice before(GpuDevice real) {
    return new PlantedDevice(real);
  }

  /** Waits of a stream for an event, counted from 0, that do not reach the device. */
  PlantedDevice forgetting(IntPredicate which) {
    forgotten = which;
    return this;
  }

  /** Is called before each launch, with the kernel's name, and before each upload. */
  PlantedDevice telling(Consumer<String> launch, Runnable upload) {
    launching = launch;
    uploading = upload;
    return this;
  }

  /** Does something on the device right before a kernel is given to it for the first time. */
  PlantedDevice beforeFirst(String kernel, BiConsumer<GpuDevice, DeviceStream> work) {
    before = kernel;
    first = work;
    return this;
  }

  /** Turns a bit of the first vector that is transformed. */
  PlantedDevice flippingABit() {
    return beforeFirst(
        "ntt_inverse_pass",
        (device, stream) -> {
          byte[] one = new byte[1];
          DeviceBuffer place = DeviceBuffer.owning(vector, 1, address -> {});
          device.download(MemorySegment.ofArray(one), place, stream);
          stream.synchronize();
          one[0] ^= 1;
          device.upload(place, MemorySegment.ofArray(one), stream);
          stream.synchronize();
        });
  }

  int awaits() {
    return awaits.get();
  }

  /** The device to prove on. */
  GpuDevice device() {
    return (GpuDevice)
        Proxy.newProxyInstance(
            PlantedDevice.class.getClassLoader(),
            new Class<?>[] {GpuDevice.class},
            (proxy, method, arguments) -> {
              Object[] unwrapped = arguments == null ? new Object[0] : arguments.clone();
              for (int i = 0; i < unwrapped.length; i++) {
                if (unwrapped[i] instanceof Stream stream) {
                  unwrapped[i] = stream.real;
                }
              }
              switch (method.getName()) {
                case "launch" -> launching((DeviceFunction) unwrapped[0], unwrapped);
                case "upload" -> uploading.run();
                default -> {}
              }
              try {
                Object result = method.invoke(real, unwrapped);
                return switch (result) {
                  case DeviceStream stream -> new Stream(stream);
                  case DeviceEvent event -> new Event(event);
                  case null, default -> result;
                };
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void launching(DeviceFunction kernel, Object[] arguments) {
    launching.accept(kernel.name());
    if (kernel.name().equals(before)) {
      before = null;
      vector = ((KernelArguments) arguments[arguments.length - 1]).value(0);
      for (Object argument : arguments) {
        if (argument instanceof DeviceStream stream) {
          first.accept(real, stream);
        }
      }
    }
  }

  private final class Stream implements DeviceStream {
    private final DeviceStream real;

    Stream(DeviceStream real) {
      this.real = real;
    }

    @Override
    public void synchronize() {
      real.synchronize();
    }

    @Override
    public void await(DeviceEvent event) {
      if (!forgotten.test(awaits.getAndIncrement())) {
        real.await(((Event) event).real);
      }
    }

    @Override
    public void close() {
      real.close();
    }
  }

  private record Event(DeviceEvent real) implements DeviceEvent {
    @Override
    public void record(DeviceStream stream) {
      real.record(((Stream) stream).real);
    }

    @Override
    public void synchronize() {
      real.synchronize();
    }

    @Override
    public boolean happened() {
      return real.happened();
    }

    @Override
    public double millisSince(DeviceEvent earlier) {
      return real.millisSince(((Event) earlier).real);
    }

    @Override
    public void close() {
      real.close();
    }
  }
}
