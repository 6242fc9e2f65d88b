package io.cuzk.gpu;

import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import io.cuzk.groth16.ProvingKey;
import java.util.List;

/**
 * A proving key's points on a device, uploaded once for all its proofs: as many of its five lists
 * as the memory holds beside a proof's own; the others stay on the host and go over in chunks each
 * time. The points' device layout is core's, Montgomery words x ‖ y.
 */
final class DeviceKey implements AutoCloseable {
  /** Points of a chunk that there is room for where a list is not resident. */
  private static final int POINTS_WITHOUT_RESIDENCE = 1 << 20;

  /** What the kernels themselves and small tables take. */
  private static final long SPARE = 4 << 20;

  private final ProvingKey key;
  private final MemoryPlan plan;
  private final DevicePoints h;
  private final DevicePoints l;
  private final DevicePoints a;
  private final DevicePoints bG1;
  private final DevicePoints bG2;

  private DeviceKey(GpuDevice device, Staging staging, ProvingKey key, long reserve) {
    this.key = key;
    plan = plan(key, device.info().name(), device.freeBytes(), reserve);
    Taken taken = new Taken();
    try {
      h = place(device, staging, key.h(), plan.queries().get(0), taken);
      l = place(device, staging, key.l(), plan.queries().get(1), taken);
      a = place(device, staging, key.a(), plan.queries().get(2), taken);
      bG1 = place(device, staging, key.bG1(), plan.queries().get(3), taken);
      bG2 = place(device, staging, key.bG2(), plan.queries().get(4), taken);
    } catch (RuntimeException | Error e) {
      taken.giveBack(e);
      throw e;
    }
  }

  private static MemoryPlan plan(ProvingKey key, String device, long free, long reserve) {
    return MemoryPlan.of(
        key.name(),
        device,
        key.domain(),
        List.of(
            new MemoryPlan.Points("h", Group.G1, key.h().size()),
            new MemoryPlan.Points("l", Group.G1, key.l().size()),
            new MemoryPlan.Points("a", Group.G1, key.a().size()),
            new MemoryPlan.Points("b_g1", Group.G1, key.bG1().size()),
            new MemoryPlan.Points("b_g2", Group.G2, key.bG2().size())),
        free,
        reserve);
  }

  /**
   * Uploads what fits beside so many bytes for a proof.
   *
   * @throws InfrastructureException if there would be no room for a proof
   */
  static DeviceKey upload(GpuDevice device, Staging staging, ProvingKey key, long reserve) {
    return new DeviceKey(device, staging, key, reserve);
  }

  /**
   * Three vectors of the quotient beside what the first two were expanded from, and sums in chunks
   * beside one of them.
   *
   * @param compactBytes of the rows in compact form
   */
  static long proofBytes(long domain, long compactBytes) {
    long vector = 32 * domain;
    return Math.max(
        3 * vector + Staging.rowBytes(compactBytes) + SPARE, vector + sumsBytes(domain));
  }

  /** What the sums of a proof take at least, with its scalars. */
  static long sumsBytes(long domain) {
    int points = (int) Math.min(domain, POINTS_WITHOUT_RESIDENCE);
    int pointBytes = DevicePoints.pointBytes(Group.G2);
    return MsmPlan.shape(points, 12, 1).bytes(Group.G2, pointBytes) + 4 * domain + SPARE;
  }

  private static DevicePoints place(
      GpuDevice device, Staging staging, AffinePoints points, MemoryPlan.Query plan, Taken taken) {
    if (!plan.resident()) {
      return new DevicePoints(points, null);
    }
    DeviceBuffer buffer;
    try {
      buffer = taken.take(device.allocate(plan.bytes()));
    } catch (DeviceException e) {
      if (e.kind() != DeviceException.Kind.OUT_OF_MEMORY) {
        throw e;
      }
      return new DevicePoints(points, null); // enough is free, but not in one piece
    }
    staging.points(buffer, points, 0, points.size());
    return new DevicePoints(points, buffer);
  }

  /** How the key was to lie on the device. */
  MemoryPlan plan() {
    return plan;
  }

  /** Whether these are that key's points. */
  boolean isOf(ProvingKey other) {
    return key == other || key.equals(other);
  }

  DevicePoints h() {
    return h;
  }

  DevicePoints l() {
    return l;
  }

  DevicePoints a() {
    return a;
  }

  DevicePoints bG1() {
    return bG1;
  }

  DevicePoints bG2() {
    return bG2;
  }

  @Override
  public void close() {
    for (DevicePoints points : new DevicePoints[] {h, l, a, bG1, bG2}) {
      if (points.isResident()) {
        points.resident().close();
      }
    }
  }
}
