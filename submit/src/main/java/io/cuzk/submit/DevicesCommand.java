package io.cuzk.submit;

import io.cuzk.InfrastructureException;
import io.cuzk.jobs.Machine;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import io.cuzk.prover.ProverDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cuzk devices}. */
@Command(
    name = "devices",
    description = "Lists the devices that can prove here, or why there are none.",
    footerHeading = "%nExamples:%n",
    footer = {"  cuzk devices", "  cuzk devices --json"})
final class DevicesCommand implements Callable<Integer> {
  /** Backends that this project knows, so that an absent one is named too. */
  private static final List<String> KNOWN = List.of("cuda", "cpu");

  @Mixin private Common common;

  @Override
  public Integer call() {
    List<Map<String, Object>> devices = new ArrayList<>();
    List<Map<String, Object>> missing = new ArrayList<>();
    List<String> seen = new ArrayList<>();
    for (ProverBackendProvider provider : ProverBackends.providers()) {
      if (!provider.automatic()) {
        continue; // a simulator is no device
      }
      seen.add(provider.name());
      Optional<String> reason = provider.unavailable();
      try {
        if (reason.isEmpty()) {
          devices.addAll(devices(provider));
        }
      } catch (InfrastructureException e) {
        reason = Optional.of(e.getMessage());
      }
      reason.ifPresent(why -> missing.add(Map.of("backend", provider.name(), "reason", why)));
    }
    for (String backend : KNOWN) {
      if (!seen.contains(backend)) {
        missing.add(
            Map.of("backend", backend, "reason", "this build has no " + backend + " backend"));
      }
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("devices", devices);
    object.put("unavailable", missing);
    common.object(object);
    devices.forEach(device -> common.say(line(device)));
    for (Map<String, Object> each : missing) {
      common.say(each.get("backend") + ": none: " + each.get("reason"));
    }
    return ExitCode.GOOD;
  }

  /** Those that the backend has of its own; else the host. */
  private static List<Map<String, Object>> devices(ProverBackendProvider provider) {
    List<Map<String, Object>> devices = new ArrayList<>();
    for (ProverDevice found : provider.devices()) {
      Map<String, Object> device = new LinkedHashMap<>();
      device.put("backend", provider.name());
      device.put("device", found.device());
      device.put("memory_bytes", found.memoryBytes());
      device.putAll(found.facts());
      devices.add(device);
    }
    if (!devices.isEmpty()) {
      return devices;
    }
    Machine machine = Machine.current();
    try (Workers workers = Workers.of(machine.cores());
        ProverBackend backend = provider.open(0, workers)) {
      Map<String, Object> device = new LinkedHashMap<>();
      device.put("backend", provider.name());
      device.put("device", backend.device());
      device.put("memory_bytes", machine.memoryBytes());
      device.put("cpu_model", machine.cpuModel());
      device.put("cores", machine.cores());
      return List.of(device);
    }
  }

  /** {@code cuda: NVIDIA H200, GPU-…: 143771 MiB, pci_bus_id 0000:41:00.0, …}. */
  private static String line(Map<String, Object> device) {
    StringBuilder line = new StringBuilder();
    line.append(device.get("backend")).append(": ").append(device.get("device"));
    line.append(": ").append((long) device.get("memory_bytes") >> 20).append(" MiB");
    device.forEach(
        (key, value) -> {
          if (!List.of("backend", "device", "memory_bytes").contains(key)) {
            line.append(", ").append(key).append(' ').append(value);
          }
        });
    return line.toString();
  }
}
