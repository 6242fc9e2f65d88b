package io.cuzk.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Executors that were there at once, at work or not.
 *
 * @param cores of all, as Spark counts them; 0 where a run of an earlier program does not say
 * @param slots proofs that could run at once on all
 * @param devices of all; where the CPU proves, a slot is one
 */
public record Fleet(int executors, int cores, int slots, int devices) {
  static final Fleet NONE = new Fleet(0, 0, 0, 0);

  /** What {@code run.json} says under {@code executors}; null where it says nothing. */
  public static Fleet of(JsonNode run) {
    JsonNode fleet = run.path("executors");
    int executors = fleet.path("most_at_once").asInt();
    return executors < 1
        ? null
        : new Fleet(
            executors,
            fleet.path("cores").asInt(),
            Math.max(1, fleet.path("slots").asInt()),
            Math.max(1, fleet.path("devices").asInt()));
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("most_at_once", executors);
    json.put("cores", cores);
    json.put("cores_per_executor", each(cores));
    json.put("slots", slots);
    json.put("slots_per_executor", each(slots));
    json.put("devices", devices);
    return json;
  }

  Fleet plus(Fleet other) {
    return new Fleet(
        executors + other.executors,
        cores + other.cores,
        slots + other.slots,
        devices + other.devices);
  }

  Fleet minus(Fleet other) {
    return plus(new Fleet(-other.executors, -other.cores, -other.slots, -other.devices));
  }

  /** Cores of an executor, the mean where they differ. */
  public Number coresPerExecutor() {
    return each(cores);
  }

  /** Proofs that one executor makes at once, the mean where they differ. */
  public Number slotsPerExecutor() {
    return each(slots);
  }

  private Number each(int all) {
    if (executors == 0 || all % executors == 0) {
      return all / Math.max(1, executors);
    }
    return all / (double) executors;
  }
}
