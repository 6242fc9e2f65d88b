package io.cuzk.jobs;

/** Names of the devices of a cluster, by which the driver tells them apart. */
final class Places {
  private Places() {}

  /**
   * The name of a device: it outlives the executor where devices have addresses.
   *
   * @param address null where devices are not assigned; the executor stands for its device then
   */
  static String of(String host, String address, String executorId) {
    return host + "/" + (address == null ? "executor-" + executorId : "gpu-" + address);
  }
}
