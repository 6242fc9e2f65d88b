package io.cuzk.submit;

import io.cuzk.jobs.Machine;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
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
    Machine machine = Machine.current();
    List<Map<String, Object>> devices = new ArrayList<>();
    List<Map<String, Object>> missing = new ArrayList<>();
    List<String> seen = new ArrayList<>();
    try (Workers workers = Workers.of(machine.cores())) {
      for (ProverBackendProvider provider : ProverBackends.providers()) {
        seen.add(provider.name());
        Optional<String> reason = provider.unavailable();
        if (reason.isPresent()) {
          missing.add(Map.of("backend", provider.name(), "reason", reason.get()));
          continue;
        }
        try (ProverBackend backend = provider.open(0, workers)) {
          Map<String, Object> device = new LinkedHashMap<>();
          device.put("backend", provider.name());
          device.put("device", backend.device());
          device.put("cpu_model", machine.cpuModel());
          device.put("cores", machine.cores());
          device.put("memory_bytes", machine.memoryBytes());
          devices.add(device);
        }
      }
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
    for (Map<String, Object> device : devices) {
      common.say(
          "%s: %s (%s, %d MiB)"
              .formatted(
                  device.get("backend"),
                  device.get("device"),
                  device.get("cpu_model"),
                  machine.memoryBytes() >> 20));
    }
    for (Map<String, Object> each : missing) {
      common.say(each.get("backend") + ": none: " + each.get("reason"));
    }
    return ExitCode.GOOD;
  }
}
