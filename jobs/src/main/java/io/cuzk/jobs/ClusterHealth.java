package io.cuzk.jobs;

import io.cuzk.prover.DevicePool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

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

    /** What its devices have in common with those of a fresh process in its place. */
    Set<String> seats() {
      return devices.keySet().stream()
          .map(device -> Places.seat(device, executorId))
          .collect(Collectors.toSet());
    }
  }

  private final Map<String, Ready> executors = new LinkedHashMap<>();
  private final Map<String, List<String>> failures = new LinkedHashMap<>();
  private final Map<String, String> excluded = new LinkedHashMap<>();
  private final Set<String> replaced = new HashSet<>();

  /** Executors whose loss of a device was counted against it. */
  private final Set<String> struck = new HashSet<>();

  /** Executors of no use in a place that one was to have who is awaited. */
  private final Set<String> inTheWay = new HashSet<>();

  private final AwaitedExecutors awaited;

  /** Good proofs since the last failure, of devices that failed. */
  private final Map<String, Integer> goodSince = new HashMap<>();

  /** Losses in a place that gives each process's device another name. */
  private final Map<String, Integer> losses = new HashMap<>();

  /** The host of each device, where it was seen last. */
  private final Map<String, String> hosts = new HashMap<>();

  ClusterHealth() {
    this(System::nanoTime);
  }

  /** With a clock of nanoseconds that only goes on. */
  ClusterHealth(LongSupplier nanos) {
    awaited = new AwaitedExecutors(nanos);
  }

  /**
   * An executor is there.
   *
   * @return false if it is of no use, and has the place that one was to have who is awaited
   */
  synchronized boolean ready(Ready executor) {
    Map<String, String> devices = new LinkedHashMap<>(executor.devices());
    devices.replaceAll((name, reason) -> excluded.getOrDefault(name, reason));
    devices.forEach(
        (name, reason) -> {
          hosts.put(name, executor.host());
          if (!reason.isEmpty()) {
            excluded.putIfAbsent(name, reason);
          }
        });
    Ready known = new Ready(executor.executorId(), executor.host(), executor.backend(), devices);
    if (executors.put(executor.executorId(), known) == null && !awaited.come(known)) {
      inTheWay.add(executor.executorId());
      return false;
    }
    return true;
  }

  /** Executors without a usable device that need not hold their place for another to come. */
  synchronized List<String> useless() {
    boolean elsewhere = awaited.isPlaceOpen();
    return executors.values().stream()
        .filter(each -> !each.isUsable())
        .map(Ready::executorId)
        .filter(id -> !elsewhere || !inTheWay.contains(id))
        .toList();
  }

  /** Spark lost an executor, and puts another one in its place if it can. */
  synchronized void gone(String executorId) {
    Ready known = executors.remove(executorId);
    if (known != null) {
      awaited.add(known, false);
    }
  }

  /** Executors that reported and were not lost, and those that are awaited. */
  synchronized int thereOrToCome() {
    return executors.size() + awaited.count();
  }

  /** An executor is given back: none comes for it. */
  synchronized void givenBack(String executorId) {
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
    if (!struck.add(executorId)) {
      return Loss.KNOWN;
    }
    failed(device, reason);
    String seat = Places.seat(device, executorId);
    if (!seat.equals(device) && losses.merge(seat, 1, Integer::sum) >= DevicePool.STRIKES) {
      exclude(device, "processes of " + seat + " lost their device before: " + reason);
    }
    if (excluded.containsKey(device)) {
      exhausted(executorId, device, excluded.get(device));
      return Loss.EXCLUDED;
    }
    if (replaced.contains(executorId)) {
      return Loss.KNOWN;
    }
    replacing(executorId);
    return Loss.REPLACE;
  }

  /** Another executor is to come in the place of this one. */
  synchronized void replacing(String executorId) {
    Ready known = executors.remove(executorId);
    if (replaced.add(executorId) && known != null) {
      awaited.add(known, true);
    }
  }

  /**
   * A bad proof or an error of a device. The second one excludes it, unless so many good proofs
   * came between that the first is forgotten.
   */
  synchronized void failed(String device, String reason) {
    List<String> reasons = failures.computeIfAbsent(device, name -> new ArrayList<>());
    reasons.add(reason);
    goodSince.remove(device);
    if (reasons.size() >= DevicePool.STRIKES) {
      exclude(
          device, "it failed %d times: %s".formatted(reasons.size(), String.join("; ", reasons)));
    }
  }

  /** Whatever process has it. */
  private void exclude(String device, String reason) {
    excluded.putIfAbsent(device, reason);
    executors.replaceAll(
        (id, ready) -> {
          Map<String, String> devices = new LinkedHashMap<>(ready.devices());
          devices.replace(device, "", reason);
          return new Ready(id, ready.host(), ready.backend(), devices);
        });
  }

  /** A device made a good proof. */
  synchronized void proved(String device) {
    if (failures.containsKey(device)
        && !excluded.containsKey(device)
        && goodSince.merge(device, 1, Integer::sum) >= DevicePool.GOOD_PROOFS_FORGIVE) {
      failures.remove(device);
      goodSince.remove(device);
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

  /**
   * Whether none of the executors that reported can prove any more, and no other is to come. An
   * executor that was replaced, or that was asked for and had not come when the run began, or that
   * Spark lost, is waited for so long as {@link AwaitedExecutors#PATIENCE}. With no executor at
   * all, none replaced in vain, this waits as Spark does, for a cluster that has no room now.
   */
  synchronized boolean isNoneLeft() {
    if (executors.values().stream().anyMatch(Ready::isUsable)) {
      return false;
    }
    return awaited.count() == 0 && (!executors.isEmpty() || awaited.isAskedFor());
  }

  /** A device's name with the host that it was seen on last, for people. */
  synchronized String shown(String device) {
    String host = hosts.get(device);
    return host == null || device.startsWith(host + "/") ? device : host + "/" + device;
  }

  /** Devices that failed, with how often and why, and whether they are excluded. */
  synchronized List<Map<String, Object>> toJson() {
    Map<String, List<String>> all = new LinkedHashMap<>(failures);
    excluded.keySet().forEach(device -> all.putIfAbsent(device, List.of()));
    List<Map<String, Object>> list = new ArrayList<>();
    all.forEach(
        (device, reasons) -> {
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("device", shown(device));
          entry.put("state", excluded.containsKey(device) ? "excluded" : "suspect");
          entry.put("failures", reasons.size());
          entry.put("reason", excluded.getOrDefault(device, String.join("; ", reasons)));
          list.add(entry);
        });
    return list;
  }

  /**
   * Forgets failures of a run that has ended, and who was awaited then; what is excluded stays so.
   *
   * @param missing executors that were asked for and are not there yet
   */
  synchronized void beginRun(int missing) {
    failures.clear();
    goodSince.clear();
    losses.clear();
    awaited.clear();
    for (int i = 0; i < missing; i++) {
      awaited.add(null, false);
    }
  }

  /** Those of an executor's devices that are excluded, with the reasons. */
  synchronized Map<String, String> excludedOf(String executorId) {
    Map<String, String> found = new LinkedHashMap<>();
    Ready known = executors.get(executorId);
    if (known != null) {
      known
          .devices()
          .forEach(
              (device, reason) -> {
                if (!reason.isEmpty()) {
                  found.put(device, reason);
                }
              });
    }
    return found;
  }

  /** Why devices are excluded, in one line. */
  synchronized String reasons() {
    List<String> lines = new ArrayList<>();
    excluded.forEach((device, reason) -> lines.add(shown(device) + ": " + reason));
    return String.join("; ", lines);
  }
}
