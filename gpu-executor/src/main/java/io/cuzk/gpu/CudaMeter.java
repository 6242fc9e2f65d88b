package io.cuzk.gpu;

import io.cuzk.InfrastructureException;
import io.cuzk.curve.FlatPoints;
import io.cuzk.curve.Group;
import io.cuzk.field.Fp;
import io.cuzk.field.Fr;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.DeviceMeter;
import io.cuzk.prover.HostPinning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Supplier;

/** Measures the kernels of a device by its events. */
public final class CudaMeter implements DeviceMeter {
  /** Threads of a block. */
  private static final int BLOCK = 256;

  /**
   * Blocks for each multiprocessor, of which the best number is looked for: registers let six or
   * four be resident, or others on other architectures; one more takes a second turn, in which most
   * of the device idles.
   */
  private static final int[] BLOCKS = {2, 3, 4, 5, 6, 8};

  /** A chain is made longer until it takes so long. */
  private static final double LEAST_SECONDS = 0.02;

  private static final int LONGEST_CHAIN = 1 << 20;

  /** Bytes that are copied to measure the rate, at most. */
  private static final long COPIED = 256 << 20;

  private final GpuDevice device;
  private final DeviceStream stream;
  private final DeviceStream side;
  private final DeviceKernels kernels;
  private final Workers workers = Workers.single();
  private final Staging staging;
  private final DeviceEvent begin;
  private final DeviceEvent end;

  private CudaMeter(GpuDevice device) {
    this.device = device;
    Taken taken = new Taken();
    taken.take(device);
    try {
      stream = taken.take(device.stream());
      side = taken.take(device.stream());
      kernels = taken.take(new DeviceKernels(device));
      kernels.load();
      staging = taken.take(new Staging(device, side, workers, HostPinning.RING));
      begin = taken.take(device.event());
      end = taken.take(device.event());
    } catch (RuntimeException | Error e) {
      taken.giveBack(e);
      throw e;
    }
  }

  /** A meter of an opened device, which is closed with it, or if there cannot be one. */
  public static CudaMeter on(GpuDevice device) {
    return new CudaMeter(device);
  }

  @Override
  public String device() {
    return device.info().name() + ", " + device.info().uuid();
  }

  /** Seconds from the begin to the end of what a piece of work gives to the stream. */
  private double seconds(Runnable work) {
    begin.record(stream);
    work.run();
    end.record(stream);
    end.synchronize();
    return Math.max(1e-9, end.millisSince(begin) * 1e-3);
  }

  @Override
  public Rates rates() {
    long bytes = Math.min(COPIED, device.freeBytes() / 8);
    double[] copies = copies(bytes);
    return new Rates(
        rate("fr_mul_chain", Fr.WORDS, Fr::setOne, Fr::dbl),
        rate("fp_mul_chain", Fp.WORDS, Fp::setOne, Fp::dbl),
        copies[0],
        copies[1]);
  }

  /** Writes the element one. */
  private interface One {
    void set(long[] z, int at);
  }

  private interface Doubling {
    void apply(long[] z, int zo, long[] x, int xo);
  }

  /**
   * Products per second, of the best grid. Powers of two are multiplied: what comes out is known
   * without products.
   */
  private double rate(String kernel, int words, One one, Doubling dbl) {
    int row = BLOCK * device.info().multiprocessors();
    int n = row * BLOCKS[BLOCKS.length - 1];
    long[] base = new long[words];
    one.set(base, 0);
    dbl.apply(base, 0, base, 0);
    long[] bases = new long[n * words];
    for (int i = 0; i < n; i++) {
      System.arraycopy(base, 0, bases, i * words, words);
    }
    try (DeviceBuffer from = device.allocate(8L * bases.length);
        DeviceBuffer to = device.allocate(8L * bases.length)) {
      staging.longs(from, bases, bases.length);
      staging.before(stream);
      stream.synchronize();
      int times = 16;
      chain(kernel, to, from, n, times); // a kernel's first run may take what no other takes
      double took = timedChain(kernel, to, from, n, times);
      while (took < LEAST_SECONDS && times < LONGEST_CHAIN) {
        times *= 2;
        took = timedChain(kernel, to, from, n, times);
      }
      double best = 0;
      for (int blocks : BLOCKS) {
        int some = row * blocks;
        best = Math.max(best, (double) some * times / timedChain(kernel, to, from, some, times));
      }
      requireRight(kernel, to, words, times, base, dbl);
      return best;
    }
  }

  private double timedChain(String kernel, DeviceBuffer to, DeviceBuffer from, int n, int times) {
    return seconds(() -> chain(kernel, to, from, n, times));
  }

  private void chain(String kernel, DeviceBuffer to, DeviceBuffer from, int n, int times) {
    kernels.launch(
        kernel, n, stream, kernels.arguments().pointer(to).pointer(from).i32(n).i32(times));
  }

  private void requireRight(
      String kernel, DeviceBuffer found, int words, int times, long[] base, Doubling dbl) {
    long[] expected = base.clone();
    for (int i = 0; i < times; i++) {
      dbl.apply(expected, 0, expected, 0);
    }
    long[] last = new long[words];
    device.download(
        MemorySegment.ofArray(last), found.slice(found.bytes() - 8L * words, 8L * words), stream);
    stream.synchronize();
    if (!Arrays.equals(last, expected)) {
      throw new InfrastructureException(
          "%s on %s: 2^%d is wrong; nothing was measured".formatted(kernel, device(), times + 1));
    }
  }

  /** Bytes per second to the device and back, of page-locked memory. */
  private double[] copies(long bytes) {
    try (Arena arena = Arena.ofShared();
        DeviceBuffer buffer = device.allocate(bytes)) {
      MemorySegment host = arena.allocate(bytes, 4096);
      PinnedMemory pages = device.pin(host);
      try {
        double up = seconds(() -> device.upload(buffer, host, stream));
        double down = seconds(() -> device.download(host, buffer, stream));
        return new double[] {bytes / up, bytes / down};
      } finally {
        stream.synchronize();
        pages.close();
      }
    }
  }

  @Override
  public Transform transform(int logSize) {
    DeviceTransform transform = new DeviceTransform(kernels, stream, logSize);
    DeviceBuffer vector;
    try {
      vector = device.allocate((long) Fr.BYTES << logSize);
    } catch (RuntimeException | Error e) {
      transform.close();
      throw e;
    }
    return new Transform() {
      @Override
      public void write(long from, int count, long[] coefficients) {
        staging.longs(vector.from(Fr.BYTES * from), coefficients, count * Fr.WORDS);
      }

      @Override
      public void order() {
        staging.before(stream);
        transform.reverse(vector, stream);
      }

      @Override
      public double seconds() {
        return CudaMeter.this.seconds(() -> transform.forward(vector, null, stream));
      }

      @Override
      public void read(long at, long[] out) {
        device.download(MemorySegment.ofArray(out), vector.slice(Fr.BYTES * at, Fr.BYTES), stream);
        stream.synchronize();
      }

      @Override
      public void close() {
        transform.close();
        vector.close();
      }
    };
  }

  @Override
  public Sum sum(Group group, long[] affine, long[] scalars) {
    int n = scalars.length / Fr.WORDS;
    long[] montgomery = new long[scalars.length];
    for (int i = 0; i < scalars.length; i += Fr.WORDS) {
      Fr.fromCanonical(montgomery, i, scalars, i);
    }
    FlatPoints host = new FlatPoints(group, affine);
    Taken taken = new Taken();
    DeviceBuffer points;
    DeviceBuffer list;
    try {
      points = taken.take(device.allocate((long) n * DevicePoints.pointBytes(group)));
      list = taken.take(device.allocate((long) Fr.BYTES * n));
      staging.points(points, host, 0, n);
      staging.longs(list, montgomery, montgomery.length);
      staging.before(stream);
      stream.synchronize();
    } catch (RuntimeException | Error e) {
      taken.giveBack(e);
      throw e;
    }
    DeviceMsm msm = new DeviceMsm(kernels, staging, stream);
    DevicePoints resident = new DevicePoints(host, points);
    Supplier<PartialSums> run = () -> msm.sum(resident, DeviceScalars.list(list, n), null);
    int window = MsmPlan.of(n, group, 0, device.freeBytes() / 16 * 15).c();
    return new Sum() {
      private PartialSums last;

      @Override
      public double seconds() {
        return CudaMeter.this.seconds(() -> last = run.get());
      }

      @Override
      public long[] total() {
        return last.total();
      }

      @Override
      public int windowBits() {
        return window;
      }

      @Override
      public void close() {
        list.close();
        points.close();
      }
    };
  }

  @Override
  public void close() {
    begin.close();
    end.close();
    staging.close();
    kernels.close();
    stream.close();
    side.close();
    device.close();
    workers.close();
  }
}
