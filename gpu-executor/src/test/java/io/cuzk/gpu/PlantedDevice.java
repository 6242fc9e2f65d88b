package io.cuzk.gpu;

import io.cuzk.DeviceException;
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
  private Consumer<String> calling = call -> {};
  private String before;
  private long vector;
  private BiConsumer<GpuDevice, DeviceStream> first;
  private final AtomicInteger allocations = new AtomicInteger();
  private IntPredicate failing = allocation -> false;
  private DeviceException.Kind failure;
  private final AtomicInteger pinnings = new AtomicInteger();
  private IntPredicate unpinnable = pinning -> false;
  private final AtomicInteger held = new AtomicInteger();
  private long free = -1;
  private boolean keptOpen;

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

  /** Is called before each call, with its name; "record" and "await" are those of events. */
  PlantedDevice logging(Consumer<String> call) {
    calling = call;
    return this;
  }

  /** Does something on the device right before a kernel is given to it for the first time. */
  PlantedDevice beforeFirst(String kernel, BiConsumer<GpuDevice, DeviceStream> work) {
    before = kernel;
    first = work;
    return this;
  }

  /** Allocations, counted from 0, that fail. */
  PlantedDevice failing(IntPredicate which, DeviceException.Kind kind) {
    failing = which;
    failure = kind;
    return this;
  }

  /** Pieces of host memory, counted from 0, that cannot be locked. */
  PlantedDevice unpinnable(IntPredicate which) {
    unpinnable = which;
    return this;
  }

  /** Always says that so many bytes are free. */
  PlantedDevice saying(long freeBytes) {
    free = freeBytes;
    return this;
  }

  /** Closing it leaves the device behind it open. */
  PlantedDevice keptOpen() {
    keptOpen = true;
    return this;
  }

  /** How often memory was asked for. */
  int allocations() {
    return allocations.get();
  }

  /** Streams, events and locked pieces of host memory that were not given back. */
  int held() {
    return held.get();
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
              calling.accept(method.getName());
              switch (method.getName()) {
                case "launch" -> launching((DeviceFunction) unwrapped[0], unwrapped);
                case "upload" -> uploading.run();
                case "allocate" -> allocating();
                case "pin" -> pinning();
                case "freeBytes" -> {
                  if (free >= 0) {
                    return free;
                  }
                }
                case "close" -> {
                  if (keptOpen) {
                    return null;
                  }
                }
                default -> {}
              }
              try {
                Object result = method.invoke(real, unwrapped);
                return switch (result) {
                  case DeviceStream stream -> new Stream(stream);
                  case DeviceEvent event -> new Event(event);
                  case PinnedMemory pages -> new Pages(pages);
                  case null, default -> result;
                };
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void allocating() {
    int which = allocations.getAndIncrement();
    if (failing.test(which)) {
      throw new DeviceException(failure, "allocation " + which + " fails here");
    }
  }

  private void pinning() {
    int which = pinnings.getAndIncrement();
    if (unpinnable.test(which)) {
      throw new DeviceException(DeviceException.Kind.REFUSED, "pinning " + which + " fails here");
    }
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
      held.incrementAndGet();
    }

    @Override
    public void synchronize() {
      real.synchronize();
    }

    @Override
    public void await(DeviceEvent event) {
      calling.accept("await");
      if (!forgotten.test(awaits.getAndIncrement())) {
        real.await(((Event) event).real);
      }
    }

    @Override
    public void close() {
      held.decrementAndGet();
      real.close();
    }
  }

  private final class Pages implements PinnedMemory {
    private final PinnedMemory real;

    Pages(PinnedMemory real) {
      this.real = real;
      held.incrementAndGet();
    }

    @Override
    public void close() {
      held.decrementAndGet();
      real.close();
    }
  }

  private final class Event implements DeviceEvent {
    private final DeviceEvent real;

    Event(DeviceEvent real) {
      this.real = real;
      held.incrementAndGet();
    }

    @Override
    public void record(DeviceStream stream) {
      calling.accept("record");
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
      held.decrementAndGet();
      real.close();
    }
  }
}
