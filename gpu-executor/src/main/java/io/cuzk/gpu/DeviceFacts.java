package io.cuzk.gpu;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What records say of a CUDA device: what it is, which code it runs, and what NVIDIA's management
 * library reads off it now. Thread-safe.
 */
final class DeviceFacts implements AutoCloseable {
  private final DeviceInfo info;
  private final Nvml.Opened nvml;

  private DeviceFacts(DeviceInfo info, Nvml.Opened nvml) {
    this.info = info;
    this.nvml = nvml;
  }

  /** Of a device that is open; closing it lets go of the library. */
  static DeviceFacts of(DeviceInfo info) {
    return new DeviceFacts(info, Nvml.open());
  }

  /** As they are now. */
  Map<String, Object> read() {
    return of(info, nvml);
  }

  /** Those of a device, by JSON key. */
  static Map<String, Object> of(DeviceInfo info, Nvml.Opened nvml) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("uuid", info.uuid());
    facts.put("pci_bus_id", info.pciBusId());
    facts.put("architecture", info.architecture());
    facts.put("code", DeviceCode.describe(info.architecture()));
    facts.put("multiprocessors", info.multiprocessors());
    Optional<Nvml.Reading> found = nvml.read(info.uuid());
    found.ifPresent(
        reading -> {
          facts.put("driver", reading.driver());
          put(facts, "used_bytes", reading.usedBytes());
          put(facts, "clock_mhz", reading.clockMhz());
          put(facts, "memory_clock_mhz", reading.memoryClockMhz());
          put(facts, "celsius", reading.celsius());
          put(facts, "milliwatts", reading.milliwatts());
          put(facts, "uncorrected_errors", reading.uncorrectedErrors());
        });
    if (found.isEmpty()) {
      facts.put("nvml", nvml.missing().isEmpty() ? "does not know this device" : nvml.missing());
    }
    return facts;
  }

  private static void put(Map<String, Object> facts, String key, OptionalLong value) {
    if (value.isPresent()) {
      facts.put(key, value.getAsLong());
    }
  }

  @Override
  public void close() {
    nvml.close();
  }
}
