package io.cuzk.gpu;

import io.cuzk.DeviceException;
import io.cuzk.circuit.Assignment;
import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fr;
import io.cuzk.groth16.CircuitShape;
import io.cuzk.groth16.QuerySums;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One proof's data on a device and its way through the streams: rows and scalars go over on the
 * upload stream, perhaps while the kernels of another proof run, and its own kernels wait for them
 * by events. Closing it frees all of it. Belongs to one thread.
 */
final class DeviceProof implements AutoCloseable {
  private final GpuDevice device;
  private final DeviceKernels kernels;
  private final Staging upload;
  private final DeviceStream uploads;
  private final DeviceStream compute;
  private final Assignment assignment;
  private final long vectorBytes;
  private EventTimer timer;
  private final List<DeviceBuffer> held = new ArrayList<>();
  private DeviceBuffer a;
  private DeviceBuffer b;
  private DeviceBuffer product;
  private final QueryBuffers[] queries = new QueryBuffers[3];
  private final List<Runnable> pages = new ArrayList<>();
  private boolean closed;

  DeviceProof(
      DeviceKernels kernels,
      Staging upload,
      DeviceStream uploads,
      DeviceStream compute,
      Assignment assignment) {
    device = kernels.device();
    this.kernels = kernels;
    this.upload = upload;
    this.uploads = uploads;
    this.compute = compute;
    this.assignment = assignment;
    vectorBytes = Fr.BYTES * domain(assignment);
  }

  /** Begins its time; the caller is who may send, so that no other's uploads stand before. */
  void begin() {
    timer = new EventTimer(device, uploads);
  }

  EventTimer timer() {
    return timer;
  }

  /**
   * Device memory that rows take, sent ahead and expanded.
   *
   * @param compactBytes of the rows in compact form, which lie beside the expanded ones
   */
  static long rowBytes(long domain, long compactBytes) {
    return 2 * Fr.BYTES * domain + Staging.rowBytes(compactBytes);
  }

  /** Bytes of its rows in compact form. */
  long compactBytes() {
    return assignment.compactRowBytes();
  }

  /** The same of this proof. */
  long rowBytes() {
    return 2 * vectorBytes + Staging.rowBytes(compactBytes());
  }

  /** Device memory that the proof of an assignment takes at least. */
  static long leastBytes(Assignment assignment) {
    return DeviceKey.proofBytes(domain(assignment), assignment.compactRowBytes());
  }

  private static long domain(Assignment assignment) {
    return new CircuitShape(assignment.inputs(), assignment.aux(), assignment.rows()).domain();
  }

  /** Sends the rows; the assignment lets go of them. */
  void uploadRows() {
    a = device.allocate(vectorBytes);
    b = device.allocate(vectorBytes);
    timer.run(
        uploads,
        () -> {
          upload.rows(kernels, a, assignment, true, held);
          upload.rows(kernels, b, assignment, false, held);
        },
        "upload");
    assignment.rowsRead();
  }

  /** Gives the transforms to the device, behind what was sent. */
  void quotient(DeviceQuotient quotient) {
    product = device.allocate(vectorBytes);
    awaitUploads();
    timer.run(compute, () -> quotient.compute(a, b, product, compute), "quotient", "ntt_msm_h");
  }

  /**
   * What is computed from now on waits for what was sent. Called by who may send: later another
   * proof's data would be waited for too.
   */
  void awaitUploads() {
    upload.before(compute);
  }

  /**
   * Sends the scalars of the queries L, A and B as far as there is room; the others go over when
   * their turn comes.
   *
   * @param reserve device memory to leave free
   */
  void uploadScalars(QuerySelection selected, long reserve) {
    QueryValues[] values = {selected.l(), selected.a(), selected.b()};
    timer.run(
        uploads,
        () -> {
          for (int i = 0; i < values.length; i++) {
            if (device.freeBytes() - QueryBuffers.bytes(values[i]) >= reserve) {
              queries[i] = sent(values[i]).orElse(null);
            }
          }
        },
        "upload");
  }

  private Optional<QueryBuffers> sent(QueryValues values) {
    try {
      return Optional.of(QueryBuffers.upload(device, upload, values));
    } catch (DeviceException e) {
      if (e.kind() != DeviceException.Kind.OUT_OF_MEMORY) {
        throw e;
      }
      return Optional.empty(); // free, but in pieces
    }
  }

  /** The five sums; the device has done its part when this returns. */
  Parts sums(
      QuerySum sums,
      Staging late,
      DeviceKey key,
      CoefficientOrder hOrder,
      int logDomain,
      QuerySelection selected) {
    // Frees after the transforms: the sums take their memory.
    freeAll(held);
    b.close();
    product.close();
    PartialSums h =
        timer.time(
            compute,
            () -> sums.msm().sum(key.h(), DeviceScalars.coefficients(a, logDomain, hOrder), null),
            "msm.h",
            "ntt_msm_h");
    a.close();
    PartialSums[] l = query(sums, late, key.l(), 0, selected.l(), "msm.l");
    PartialSums[] forA = query(sums, late, key.a(), 1, selected.a(), "msm.a");
    PartialSums[] b1 = query(sums, late, key.bG1(), 2, selected.b(), "msm.b1");
    PartialSums[] b2 = query(sums, late, key.bG2(), 2, selected.b(), "msm.b2");
    compute.synchronize();
    return new Parts(h, l, forA, b1, b2);
  }

  private PartialSums[] query(
      QuerySum sums,
      Staging late,
      DevicePoints points,
      int which,
      QueryValues values,
      String phase) {
    if (queries[which] == null) {
      timer.run(
          late.stream(),
          () -> queries[which] = QueryBuffers.upload(device, late, values),
          "upload");
      late.before(compute);
    }
    QueryBuffers scalars = queries[which];
    boolean g2 = phase.equals("msm.b2");
    PartialSums ones =
        timer.time(compute, () -> sums.ones(points, scalars), phase, g2 ? "b_g2_msm" : "batch_add");
    PartialSums others =
        timer.time(
            compute, () -> sums.others(points, scalars), phase, g2 ? "b_g2_msm" : "tail_msm");
    return new PartialSums[] {ones, others};
  }

  /** The five sums as the device leaves them, of each query the ones and the others. */
  record Parts(
      PartialSums h, PartialSums[] l, PartialSums[] a, PartialSums[] b1, PartialSums[] b2) {
    /** Puts them together, on the host. */
    QuerySums totals() {
      return new QuerySums(
          h.total(),
          PartialSums.total(l[0], l[1]),
          PartialSums.total(a[0], a[1]),
          PartialSums.total(b1[0], b1[1]),
          PartialSums.total(b2[0], b2[1]));
    }
  }

  /** Takes over the host memory that was locked for its uploads, if any was. */
  void keepPages() {
    upload.detach().ifPresent(pages::add);
  }

  private static void freeAll(List<DeviceBuffer> buffers) {
    buffers.forEach(DeviceBuffer::close);
    buffers.clear();
  }

  /** Frees the vectors and scalars, to be sent anew or for good. */
  void release() {
    if (!pages.isEmpty()) {
      try {
        uploads.synchronize();
      } finally {
        pages.forEach(Runnable::run);
        pages.clear();
      }
    }
    freeAll(held);
    for (DeviceBuffer vector : new DeviceBuffer[] {a, b, product}) {
      if (vector != null) {
        vector.close();
      }
    }
    for (int i = 0; i < queries.length; i++) {
      if (queries[i] != null) {
        queries[i].close();
        queries[i] = null;
      }
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        release();
      } finally {
        if (timer != null) {
          timer.close();
        }
      }
    }
  }
}
