package io.cuzk.gpu;

import io.cuzk.circuit.Assignment;
import io.cuzk.curve.Group;
import io.cuzk.field.Fr;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.CircuitShape;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.QuerySums;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.Phase;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProverBackend;
import java.util.function.Supplier;

/**
 * Proves on one device. The key is uploaded with its first proof and stays; so do the tables of the
 * transforms, of the last domain. Sums, and the proof from them, are put together on the host by
 * core's code, so that a proof has the CPU's bytes for the same r and s.
 *
 * <p>One proof at a time: calls wait for each other.
 */
public final class CudaBackend implements ProverBackend {
  private final String name;
  private final GpuDevice device;
  private final Workers workers;
  private final DeviceStream stream;
  private final DeviceKernels kernels;
  private final Staging staging;
  private final QuerySum sums;
  private DeviceKey key;
  private DeviceQuotient quotient;

  private CudaBackend(String name, GpuDevice device, Workers workers) {
    this.name = name;
    this.device = device;
    this.workers = workers;
    stream = device.stream();
    kernels = new DeviceKernels(device);
    staging = new Staging(device, stream, workers);
    sums = new QuerySum(kernels, staging, stream);
  }

  /**
   * A backend on an opened device, which is closed with it.
   *
   * @param workers for what the host does meanwhile; stays the caller's to close
   */
  public static CudaBackend on(GpuDevice device, Workers workers) {
    return on("cuda", device, workers);
  }

  /** The same under another name, for a device that is not CUDA's. */
  public static CudaBackend on(String name, GpuDevice device, Workers workers) {
    return new CudaBackend(name, device, workers);
  }

  /** The sums over queries on this backend's device. */
  QuerySum sums() {
    return sums;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String device() {
    DeviceInfo info = device.info();
    return info.name() + ", " + info.uuid();
  }

  @Override
  public synchronized Proof prove(
      ProvingKey provingKey, Assignment assignment, Blinding blinding, PhaseTimer timer) {
    prepare(provingKey, timer);
    Beneath ntt = new Beneath("ntt_msm_h");
    Beneath ones = new Beneath("batch_add");
    Beneath others = new Beneath("tail_msm");
    Beneath g2 = new Beneath("b_g2_msm");
    QuerySelection selected = QuerySelection.begin(assignment, workers, timer);
    long[] h = quotientSum(provingKey, assignment, timer, ntt);
    long[] l = timer.time("msm.l", () -> query(key.l(), selected.l(), ones, others));
    long[] a = timer.time("msm.a", () -> query(key.a(), selected.a(), ones, others));
    long[] b1 = timer.time("msm.b1", () -> query(key.bG1(), selected.b(), ones, others));
    long[] b2 =
        timer.time("msm.b2", () -> g2.time(() -> query(key.bG2(), selected.b(), null, null)));
    for (Beneath phase : new Beneath[] {ntt, ones, others, g2}) {
      timer.add(phase.phase());
    }
    return timer.time(
        "assemble", () -> new QuerySums(h, l, a, b1, b2).assemble(provingKey.vk(), blinding));
  }

  /** The key and the tables of its domain, if they are not there yet. */
  private void prepare(ProvingKey provingKey, PhaseTimer timer) {
    if (key != null && key.isOf(provingKey)) {
      return;
    }
    timer.run(
        "key.load",
        () -> {
          release();
          int logDomain = Long.numberOfTrailingZeros(provingKey.domain());
          quotient = new DeviceQuotient(kernels, stream, logDomain);
          key = DeviceKey.upload(device, staging, provingKey);
          stream.synchronize();
        });
  }

  private void release() {
    if (key != null) {
      key.close();
      key = null;
    }
    if (quotient != null) {
      quotient.close();
      quotient = null;
    }
  }

  private long[] quotientSum(
      ProvingKey provingKey, Assignment assignment, PhaseTimer timer, Beneath beneath) {
    CircuitShape shape = new CircuitShape(assignment.inputs(), assignment.aux(), assignment.rows());
    long bytes = shape.domain() * Fr.BYTES;
    try (DeviceBuffer a = device.allocate(bytes)) {
      try (DeviceBuffer b = device.allocate(bytes);
          DeviceBuffer product = device.allocate(bytes)) {
        timer.run(
            "upload",
            () -> {
              staging.rows(kernels, a, assignment, true);
              staging.rows(kernels, b, assignment, false);
              stream.synchronize();
              assignment.rowsRead();
            });
        timer.run(
            "quotient",
            () ->
                beneath.time(
                    () -> {
                      quotient.compute(a, b, product, stream);
                      stream.synchronize();
                      return null;
                    }));
      }
      return timer.time(
          "msm.h",
          () ->
              beneath.time(
                  () -> {
                    long[] out = new long[Group.G1.jacobianWords()];
                    sums.msm()
                        .sum(
                            key.h(),
                            DeviceScalars.coefficients(a, quotient.logSize(), provingKey.hOrder()),
                            null,
                            out,
                            0);
                    return out;
                  }));
    }
  }

  private long[] query(DevicePoints points, QueryValues values, Beneath ones, Beneath others) {
    Group group = points.group();
    Supplier<long[]> added = () -> sums.ones(points, values);
    Supplier<long[]> multiplied = () -> sums.others(points, values);
    long[] sum = ones == null ? added.get() : ones.time(added);
    long[] rest = others == null ? multiplied.get() : others.time(multiplied);
    group.add(sum, 0, sum, 0, rest, 0);
    return sum;
  }

  /** A phase of the original's, in pieces that lie in several of ours. */
  private static final class Beneath {
    private final String name;
    private long begun;
    private long startMillis;
    private long nanos;

    Beneath(String name) {
      this.name = name;
    }

    <T> T time(Supplier<T> work) {
      long start = System.nanoTime();
      if (begun == 0) {
        begun = start;
        startMillis = System.currentTimeMillis();
      }
      try {
        return work.get();
      } finally {
        nanos += System.nanoTime() - start;
      }
    }

    Phase phase() {
      return new Phase(name, startMillis * 1_000_000, nanos, 0);
    }
  }

  @Override
  public synchronized void close() {
    release();
    staging.close();
    kernels.close();
    stream.close();
    device.close();
  }
}
