package io.cuzk.jobs;

/** Names of the devices of a cluster, by which the driver tells them apart. */
final class Places {
  private Places() {}

  /**
   * The name of a device: it outlives the executor where devices have addresses, and the host's
   * name where an address is of one device in the world (a UUID of NVIDIA's). On Kubernetes a host
   * is a pod, and each executor has another one.
   *
   * @param address null where devices are not assigned; the executor stands for its device then
   */
  static String of(String host, String address, String executorId) {
    if (address == null) {
      return host + "/executor-" + executorId;
    }
    boolean unique = address.startsWith("GPU-") || address.startsWith("MIG-");
    return (unique ? "" : host + "/") + "gpu-" + address;
  }

  /**
   * What a fresh process in the place of an executor has in common with it: the device's name where
   * that outlives the executor, else the host's.
   */
  static String seat(String device, String executorId) {
    String own = "/executor-" + executorId;
    return device.endsWith(own) ? device.substring(0, device.length() - own.length()) : device;
  }
}
