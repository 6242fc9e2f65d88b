package io.cuzk.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who holds a run directory: enough to name the process to a person and, on the same machine, to
 * tell whether it still lives.
 *
 * @param id of the holding, never used twice
 * @param machine what is the same for two processes only if one can see the other by its pid: boot
 *     and pid namespace; empty where that is unknown
 * @param processStarted as the operating system says; null where it does not
 * @param startedAt when the run began
 * @param timeout after which silence means death
 */
record LockHolder(
    String id,
    String user,
    String host,
    String machine,
    long pid,
    Instant processStarted,
    Instant startedAt,
    Duration timeout) {

  /** What the operating system knows of a holder. */
  enum Life {
    ALIVE,
    DEAD,
    UNKNOWN
  }

  /** This process. */
  static LockHolder current(String id, Instant startedAt, Duration timeout) {
    ProcessHandle own = ProcessHandle.current();
    return new LockHolder(
        id,
        System.getProperty("user.name", "?"),
        Machine.current().host(),
        machineId(),
        own.pid(),
        own.info().startInstant().orElse(null),
        startedAt,
        timeout);
  }

  private static String machineId() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip()
          + " "
          + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  /**
   * Whether the process is there. On another machine, or in another container, that is unknown;
   * also where its pid now has another start time, since that moves when the clock is set.
   */
  Life life() {
    if (machine.isEmpty() || !machine.equals(machineId())) {
      return Life.UNKNOWN;
    }
    ProcessHandle process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive).orElse(null);
    if (process == null || isZombie(pid)) {
      return Life.DEAD;
    }
    Instant started = process.info().startInstant().orElse(null);
    return started != null
            && processStarted != null
            && Duration.between(started, processStarted).abs().toMillis() <= 2000
        ? Life.ALIVE
        : Life.UNKNOWN;
  }

  /** Ended, but its parent has not asked yet: it keeps its pid, and Java takes it for alive. */
  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      int state = stat.lastIndexOf(')') + 2;
      return state < stat.length() && "ZX".indexOf(stat.charAt(state)) >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", id);
    json.put("user", user);
    json.put("host", host);
    json.put("machine", machine);
    json.put("pid", pid);
    json.put("process_started_at", processStarted == null ? null : processStarted.toString());
    json.put("started_at", startedAt.toString());
    json.put("timeout_ms", timeout.toMillis());
    return json;
  }

  /** Null if that is no holder. */
  static LockHolder of(JsonNode json) {
    if (json == null || !json.hasNonNull("id") || !json.hasNonNull("started_at")) {
      return null;
    }
    try {
      return new LockHolder(
          json.path("id").asText(),
          json.path("user").asText(),
          json.path("host").asText(),
          json.path("machine").asText(),
          json.path("pid").asLong(),
          json.hasNonNull("process_started_at")
              ? Instant.parse(json.path("process_started_at").asText())
              : null,
          Instant.parse(json.path("started_at").asText()),
          Duration.ofMillis(json.path("timeout_ms").asLong()));
    } catch (java.time.format.DateTimeParseException e) {
      return null;
    }
  }

  String describe() {
    return "process %d of %s on %s, begun at %s".formatted(pid, user, host, startedAt);
  }
}
