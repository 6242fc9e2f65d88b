package io.cuzk.gpu;

import io.cuzk.DeviceException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

/**
 * The CUDA devices that this process may use, in the driver's order. {@code CUDA_VISIBLE_DEVICES}
 * narrows and orders them, as for every CUDA program.
 */
public final class Devices {
  private Devices() {}

  /** Why there is none, and what to do; empty if there is one. */
  public static Optional<String> unavailable() {
    return CudaDriver.unavailable();
  }

  /**
   * What there is; asks the driver, opens nothing.
   *
   * @throws DeviceException if there is none
   */
  public static List<DeviceInfo> list() {
    requireDriver();
    int[] count = new int[1];
    CudaDriver.require(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
    List<DeviceInfo> found = new ArrayList<>();
    for (int ordinal = 0; ordinal < count[0]; ordinal++) {
      found.add(info(device(ordinal), ordinal));
    }
    return found;
  }

  /**
   * Opens the device of an ordinal in {@link #list}.
   *
   * @throws DeviceException if there is none or it cannot be used
   */
  public static GpuDevice open(int ordinal) {
    List<DeviceInfo> found = list();
    if (ordinal < 0 || ordinal >= found.size()) {
      throw new DeviceException(
          DeviceException.Kind.REFUSED,
          "no CUDA device %d here; there are 0 to %d".formatted(ordinal, found.size() - 1));
    }
    return JCudaDevice.open(found.get(ordinal), device(ordinal));
  }

  /** The device whose context is the calling thread's, as the driver says. */
  static DeviceInfo current() {
    CUdevice current = new CUdevice();
    CudaDriver.require(JCudaDriver.cuCtxGetDevice(current), "cuCtxGetDevice");
    int[] count = new int[1];
    CudaDriver.require(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
    for (int ordinal = 0; ordinal < count[0]; ordinal++) {
      if (device(ordinal).equals(current)) {
        return info(current, ordinal);
      }
    }
    throw new DeviceException(
        DeviceException.Kind.REFUSED, "the driver's current device is none that it lists");
  }

  /**
   * The ordinal of the device that an address means, as Spark's discovery or a user gives it.
   *
   * @param address an ordinal, a UUID ({@code GPU-…} or {@code MIG-…}; its start will do if only
   *     one device has it), or a PCI bus id ({@code 0000:41:00.0}, the domain may be left out)
   * @throws DeviceException if it means none or several
   */
  public static int ordinal(String address, List<DeviceInfo> devices) {
    return ordinal(address.strip(), devices, System.getenv("CUDA_VISIBLE_DEVICES"));
  }

  /**
   * The same with a value of {@code CUDA_VISIBLE_DEVICES}, or null. Where it has numbers, they are
   * the machine's, as for nvidia-smi, and an address that is a number means one of them.
   */
  static int ordinal(String address, List<DeviceInfo> devices, String visible) {
    List<String> named = visible == null ? List.of() : List.of(visible.replace(" ", "").split(","));
    boolean number = address.matches("\\d{1,4}");
    boolean numbered = named.stream().anyMatch(name -> name.matches("\\d+"));
    int place = named.indexOf(address);
    if (number && numbered && (place < 0 || place >= devices.size())) {
      throw new DeviceException(
          DeviceException.Kind.REFUSED,
          ("device address \"%s\" is none of CUDA_VISIBLE_DEVICES=\"%s\", which is all that this"
                  + " process may use: assign the GPUs by UUID, as getGpusResources.sh prints them")
              .formatted(address, visible));
    }
    if (number) {
      requireOrder(address, devices, numbered ? named : List.of());
    }
    if (place >= 0 && place < devices.size()) {
      return place;
    }
    List<Integer> matching = new ArrayList<>();
    for (int ordinal = 0; ordinal < devices.size(); ordinal++) {
      if (matches(address, ordinal, devices.get(ordinal))) {
        matching.add(ordinal);
      }
    }
    if (matching.size() == 1) {
      return matching.getFirst();
    }
    String known = devices.stream().map(d -> d.uuid() + " at " + d.pciBusId()).toList().toString();
    throw new DeviceException(
        DeviceException.Kind.REFUSED,
        "device address \"%s\" means %s of %s; give an ordinal, UUID or PCI bus id"
            .formatted(address, matching.isEmpty() ? "none" : "several", known));
  }

  /**
   * Refuses a number where CUDA counts the cards in another order than the bus has them: nvidia-smi
   * counts by the bus, so that the number would mean another card to whoever assigned it.
   */
  private static void requireOrder(String address, List<DeviceInfo> devices, List<String> numbers) {
    record Counted(int number, String bus) {}
    List<String> buses =
        IntStream.range(0, devices.size())
            .mapToObj(
                k ->
                    new Counted(
                        k < numbers.size() && numbers.get(k).matches("\\d{1,4}")
                            ? Integer.parseInt(numbers.get(k))
                            : k,
                        devices.get(k).pciBusId().toLowerCase(Locale.ROOT)))
            .sorted(Comparator.comparingInt(Counted::number))
            .map(Counted::bus)
            .toList();
    if (!buses.equals(buses.stream().sorted().toList())) {
      throw new DeviceException(
          DeviceException.Kind.REFUSED,
          ("device address \"%s\" means one card to CUDA and may mean another to nvidia-smi, as"
                  + " CUDA counts them as %s; assign the GPUs by UUID or set"
                  + " CUDA_DEVICE_ORDER=PCI_BUS_ID")
              .formatted(address, buses));
    }
  }

  private static boolean matches(String address, int ordinal, DeviceInfo device) {
    if (address.matches("\\d{1,4}")) {
      return Integer.parseInt(address) == ordinal;
    }
    String lower = address.toLowerCase(Locale.ROOT);
    if (lower.startsWith("gpu-") || lower.startsWith("mig-")) {
      return lower.length() > 4 && device.uuid().toLowerCase(Locale.ROOT).startsWith(lower);
    }
    String bus = device.pciBusId().toLowerCase(Locale.ROOT);
    // NVML writes the domain with eight digits, CUDA with four.
    String domain = lower.matches("[0-9a-f]{8}:.*") ? lower.substring(4) : lower;
    return bus.equals(domain) || bus.equals("0000:" + domain);
  }

  private static void requireDriver() {
    Optional<String> missing = unavailable();
    if (missing.isPresent()) {
      throw new DeviceException(DeviceException.Kind.REFUSED, missing.get());
    }
  }

  private static CUdevice device(int ordinal) {
    CUdevice device = new CUdevice();
    CudaDriver.require(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet of " + ordinal);
    return device;
  }

  private static DeviceInfo info(CUdevice device, int ordinal) {
    byte[] name = new byte[256];
    CudaDriver.require(JCudaDriver.cuDeviceGetName(name, name.length, device), "cuDeviceGetName");
    long[] bytes = new long[1];
    CudaDriver.require(JCudaDriver.cuDeviceTotalMem(bytes, device), "cuDeviceTotalMem");
    String[] bus = new String[1];
    CudaDriver.require(JCudaDriver.cuDeviceGetPCIBusId(bus, 32, device), "cuDeviceGetPCIBusId");
    return new DeviceInfo(
        text(name),
        uuid(device, ordinal),
        bus[0].strip(),
        attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
        attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
        bytes[0],
        attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        attribute(
            device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  }

  private static String text(byte[] bytes) {
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }

  private static int attribute(CUdevice device, int attribute) {
    int[] value = new int[1];
    CudaDriver.require(
        JCudaDriver.cuDeviceGetAttribute(value, attribute, device),
        "cuDeviceGetAttribute of " + CUdevice_attribute.stringFor(attribute));
    return value[0];
  }

  /** Of the whole GPU, and of the slice that the device is; the same where it is none. */
  private static String uuid(CUdevice device, int ordinal) {
    CUuuid whole = new CUuuid();
    CudaDriver.require(JCudaDriver.cuDeviceGetUuid(whole, device), "cuDeviceGetUuid");
    byte[] own = new byte[16];
    CudaDriver.require(CudaDriver.ownUuid(own, ordinal), "cuDeviceGetUuid_v2");
    return uuid(whole.bytes, own);
  }

  /** The UUID as NVIDIA's tools write it: a slice of a GPU has its own. */
  static String uuid(byte[] whole, byte[] own) {
    String hex = HexFormat.of().formatHex(own, 0, 16);
    return "%s-%s-%s-%s-%s-%s"
        .formatted(
            Arrays.equals(whole, 0, 16, own, 0, 16) ? "GPU" : "MIG",
            hex.substring(0, 8),
            hex.substring(8, 12),
            hex.substring(12, 16),
            hex.substring(16, 20),
            hex.substring(20));
  }
}
