package io.cuzk.jobs.simulate;

import io.cuzk.InvalidInputException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Hosts with devices, as Spark and the pipeline use them: a partition is a task, which has a slot
 * of its host and a place in memory from its begin to its end: it is synthesised, waits for its
 * device, is proved there, and does the rest on the CPU. So a device has at most as many
 * partitions, waiting ones included, as it has slots. Partitions are handed out in order to
 * whichever slot is free first. Without devices a slot does everything.
 *
 * @param hosts how many
 * @param devicesPerHost 0 for proving on the CPU
 * @param cpuSlots tasks that a host runs at once, dealt to its devices evenly
 * @param places partitions that fit in a device's share of the host's memory
 */
public record ClusterModel(int hosts, int devicesPerHost, int cpuSlots, int places) {
  /** Checks the numbers. */
  public ClusterModel {
    if (hosts < 1 || devicesPerHost < 0 || cpuSlots < 1 || hosts > 1_000_000) {
      throw new IllegalArgumentException(
          hosts + " hosts of " + devicesPerHost + " devices and " + cpuSlots + " slots");
    }
    if (places < 1) {
      throw new InvalidInputException(
          "the memory of a host does not hold one partition for each of its devices");
    }
  }

  /**
   * What came out.
   *
   * @param seconds until the last partition was done
   * @param deviceUtilisation of all devices; 0 without
   * @param cpuUtilisation what slots compute on the CPU, in the time of all slots; what they wait
   *     for a device is not in it
   * @param bottleneck {@code device}; {@code cpu}: too few slots to feed the devices, or without
   *     devices to prove more; {@code memory}: so few places that slots are of no use; or {@code
   *     partitions} (too few)
   */
  public record Outcome(
      int partitions,
      double seconds,
      double partitionsPerSecond,
      double deviceUtilisation,
      double cpuUtilisation,
      String bottleneck) {}

  private enum Stage {
    BEFORE,
    DEVICE,
    AFTER
  }

  private record Event(double time, long order, int partition, int lane, Stage ended)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int first = Double.compare(time, other.time);
      return first != 0 ? first : Long.compare(order, other.order);
    }
  }

  /**
   * Runs it.
   *
   * @param costs of partitions, taken in turn
   * @param partitions how many to prove
   */
  public Outcome run(List<PartitionCost> costs, int partitions) {
    return new Run(costs, partitions).run();
  }

  /** Lanes are devices, or where there are none, hosts. */
  private int lanesPerHost() {
    return Math.max(1, devicesPerHost);
  }

  /** Slots of one lane of a host; where they cannot be dealt evenly the first lanes have more. */
  private int slots(int lane) {
    return cpuSlots / lanesPerHost() + (lane % lanesPerHost() < cpuSlots % lanesPerHost() ? 1 : 0);
  }

  /** Partitions that one lane of a host has at once. */
  private int atOnce(int lane) {
    return Math.min(slots(lane), places);
  }

  private String bottleneck(List<PartitionCost> costs, int partitions) {
    if (partitions < hosts * lanesPerHost()) {
      return "partitions";
    }
    int atOnce = 0;
    for (int lane = 0; lane < lanesPerHost(); lane++) {
      atOnce += atOnce(lane);
    }
    double device = costs.stream().mapToDouble(PartitionCost::device).sum();
    double total = costs.stream().mapToDouble(PartitionCost::total).sum();
    // Partitions that never wait for their device end at the rate atOnce / total.
    if (devicesPerHost > 0 && atOnce * device >= devicesPerHost * total) {
      return "device";
    }
    return places < slots(0) ? "memory" : "cpu";
  }

  private final class Run {
    private final List<PartitionCost> costs;
    private final int partitions;
    private final int lanes = hosts * lanesPerHost();
    private final boolean[] deviceBusy = new boolean[lanes];
    private final List<ArrayDeque<Integer>> ready = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long order;
    private int next;
    private double now;
    private double deviceSeconds;
    private double cpuSeconds;

    Run(List<PartitionCost> costs, int partitions) {
      this.costs = costs;
      this.partitions = partitions;
      for (int i = 0; i < lanes; i++) {
        ready.add(new ArrayDeque<>());
      }
    }

    private PartitionCost cost(int partition) {
      return costs.get(partition % costs.size());
    }

    Outcome run() {
      // Round by round, so that few partitions spread over many devices.
      for (int round = 0; round < atOnce(0) && next < partitions; round++) {
        for (int lane = 0; lane < lanes; lane++) {
          if (round < atOnce(lane)) {
            begin(lane);
          }
        }
      }
      while (!events.isEmpty()) {
        Event event = events.poll();
        now = event.time();
        ended(event);
      }
      double devices = (double) hosts * devicesPerHost;
      return new Outcome(
          partitions,
          now,
          partitions / now,
          devices == 0 ? 0 : deviceSeconds / (now * devices),
          cpuSeconds / (now * hosts * cpuSlots),
          bottleneck(costs, partitions));
    }

    /** A slot of the lane is free. */
    private void begin(int lane) {
      if (next < partitions) {
        int partition = next++;
        PartitionCost cost = cost(partition);
        boolean all = devicesPerHost == 0;
        compute(
            lane, partition, all ? cost.total() : cost.before(), all ? Stage.AFTER : Stage.BEFORE);
      }
    }

    private void compute(int lane, int partition, double seconds, Stage ends) {
      cpuSeconds += seconds;
      events.add(new Event(now + seconds, order++, partition, lane, ends));
    }

    private void ended(Event event) {
      int lane = event.lane();
      switch (event.ended()) {
        case BEFORE -> {
          ready.get(lane).add(event.partition());
          startDevice(lane);
        }
        case DEVICE -> {
          deviceBusy[lane] = false;
          compute(lane, event.partition(), cost(event.partition()).after(), Stage.AFTER);
          startDevice(lane);
        }
        default -> begin(lane);
      }
    }

    private void startDevice(int lane) {
      if (!deviceBusy[lane] && !ready.get(lane).isEmpty()) {
        deviceBusy[lane] = true;
        int partition = ready.get(lane).poll();
        double takes = cost(partition).device();
        deviceSeconds += takes;
        events.add(new Event(now + takes, order++, partition, lane, Stage.DEVICE));
      }
    }
  }
}
