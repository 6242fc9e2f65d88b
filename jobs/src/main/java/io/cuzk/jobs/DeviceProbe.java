package io.cuzk.jobs;

import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import io.cuzk.prover.DeviceLease;
import io.cuzk.prover.DevicePool;
import io.cuzk.prover.PartitionOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first use of a device, before any proof. The process that had the device before may be going
 * away just now: one that is busy, or has no memory free, is tried a second time.
 */
final class DeviceProbe {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceProbe.class);
  private static final long PATIENCE_MILLIS = 2000;

  private DeviceProbe() {}

  /**
   * Takes a device.
   *
   * @see DevicePool#lease(String, PartitionOrder)
   */
  static DeviceLease lease(DevicePool pool, String address) {
    try {
      return pool.lease(address, PartitionOrder.of(0));
    } catch (InfrastructureException e) {
      if (e instanceof DeviceException) {
        throw e;
      }
      LOG.warn("{}; once more in {} ms", e.getMessage(), PATIENCE_MILLIS);
    }
    try {
      Thread.sleep(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("interrupted while waiting for a device", e);
    }
    return pool.lease(address, PartitionOrder.of(0));
  }
}
