package io.cuzk.jobs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * On the driver: which executors reported ready, with which devices, and which devices are suspect
 * or excluded. Filled by {@link CuzkPlugin} and by the reports of tasks. Thread-safe.
 */
final class ClusterHealth {
  /**
   * An executor that reported.
   *
   * @param devices its devices by name, as {@link Places} has them, with the reason why it is
   *     excluded; an empty text where it is not
   */
  record Ready(String executorId, String host, String backend, Map<String, String> devices) {
    boolean isUsable() {
      return devices.values().stream().anyMatch(String::isEmpty);
    }
  }

  private final Map<String, Ready> executors = new LinkedHashMap<>();
  private final Map<String, List<String>> failures = new LinkedHashMap<>();
  private final Map<String, String> excluded = new LinkedHashMap<>();
  private final Set<String> replaced = new HashSet<>();

  /** Executors that are to come in the place of others. */
  private int awaited;

  /** An executor is there. */
  synchronized void ready(Ready executor) {
    Map<String, String> devices = new LinkedHashMap<>(executor.devices());
    devices.replaceAll((name, reason) -> excluded.getOrDefault(name, reason));
    devices.forEach(
        (name, reason) -> {
          if (!reason.isEmpty()) {
            excluded.putIfAbsent(name, reason);
          }
        });
    executors.put(
        executor.executorId(),
        new Ready(executor.executorId(), executor.host(), executor.backend(), devices));
    awaited = Math.max(0, awaited - 1);
    notifyAll();
  }

  /** An executor is gone. */
  synchronized void gone(String executorId) {
    executors.remove(executorId);
  }

  /** All devices of an executor are of no use any more. */
  synchronized void exhausted(String executorId, String device, String reason) {
    excluded.putIfAbsent(device, reason);
    Ready known = executors.get(executorId);
    if (known != null) {
      Map<String, String> devices = new LinkedHashMap<>(known.devices());
      devices.replaceAll((name, before) -> before.isEmpty() ? reason : before);
      devices.forEach(excluded::putIfAbsent);
      executors.put(executorId, new Ready(executorId, known.host(), known.backend(), devices));
    }
  }

  /** What follows from the loss of a device. */
  enum Loss {
    /** Its process is to be replaced. */
    REPLACE,
    /** The device is excluded. */
    EXCLUDED,
    /** Its process is being replaced. */
    KNOWN
  }

  /** A process has lost its devices; the first time a fresh process may have them. */
  synchronized Loss lost(String executorId, String device, String reason) {
    if (replaced.contains(executorId)) {
      return Loss.KNOWN;
    }
    failed(device, reason);
    if (excluded.containsKey(device)) {
      exhausted(executorId, device, excluded.get(device));
      return Loss.EXCLUDED;
    }
    replacing(executorId);
    return Loss.REPLACE;
  }

  /** Another executor is to come in the place of this one. */
  synchronized void replacing(String executorId) {
    if (replaced.add(executorId)) {
      executors.remove(executorId);
      awaited++;
    }
  }

  /** A bad proof or an error of a device; the second one excludes it. */
  synchronized void failed(String device, String reason) {
    List<String> reasons = failures.computeIfAbsent(device, name -> new ArrayList<>());
    reasons.add(reason);
    if (reasons.size() >= io.cuzk.prover.DevicePool.STRIKES) {
      excluded.putIfAbsent(
          device, "it failed %d times: %s".formatted(reasons.size(), String.join("; ", reasons)));
    }
  }

  /** Executors that reported and have a device that is not excluded. */
  synchronized List<Ready> usable() {
    return executors.values().stream().filter(Ready::isUsable).toList();
  }

  /** Executors that have a usable device which is none of these. */
  synchronized List<Ready> usableWithout(Set<String> devices) {
    List<Ready> found = new ArrayList<>();
    for (Ready executor : executors.values()) {
      if (executor.devices().entrySet().stream()
          .anyMatch(each -> each.getValue().isEmpty() && !devices.contains(each.getKey()))) {
        found.add(executor);
      }
    }
    return found;
  }

  /** All executors that reported and were not lost. */
  synchronized List<Ready> executors() {
    return List.copyOf(executors.values());
  }

  /** Whether executors reported, none of them can prove any more, and no other is to come. */
  synchronized boolean isNoneLeft() {
    return awaited == 0
        && !executors.isEmpty()
        && executors.values().stream().noneMatch(Ready::isUsable);
  }

  /** Devices that failed, with how often and why, and whether they are excluded. */
  synchronized List<Map<String, Object>> toJson() {
    Map<String, List<String>> all = new LinkedHashMap<>(failures);
    excluded.keySet().forEach(device -> all.putIfAbsent(device, List.of()));
    List<Map<String, Object>> list = new ArrayList<>();
    all.forEach(
        (device, reasons) -> {
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("device", device);
          entry.put("state", excluded.containsKey(device) ? "excluded" : "suspect");
          entry.put("failures", reasons.size());
          entry.put("reason", excluded.getOrDefault(device, String.join("; ", reasons)));
          list.add(entry);
        });
    return list;
  }

  /** Forgets failures of a run that has ended; what is excluded stays so. */
  synchronized void beginRun() {
    failures.clear();
  }

  /** Why devices are excluded, in one line. */
  synchronized String reasons() {
    List<String> lines = new ArrayList<>();
    excluded.forEach((device, reason) -> lines.add(device + ": " + reason));
    return String.join("; ", lines);
  }
}
