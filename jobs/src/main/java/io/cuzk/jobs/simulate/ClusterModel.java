package io.cuzk.jobs.simulate;

import io.cuzk.InvalidInputException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Hosts with devices, as the pipeline uses them: a partition takes one of a device's places in
 * memory, then a CPU slot of its host to be synthesised on, then the device, then a CPU slot again
 * for what is left, and gives its place back. Partitions are handed out in order to whichever
 * device asks first. Without devices a CPU slot does everything.
 *
 * @param hosts how many
 * @param devicesPerHost 0 for proving on the CPU
 * @param cpuSlots partitions that a host works on at once on its CPU
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
   * @param cpuUtilisation of all CPU slots
   * @param bottleneck {@code device}, {@code cpu}, {@code memory} or {@code partitions} (too few)
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
  private final class Run {
    private final List<PartitionCost> costs;
    private final int partitions;
    private final int lanesPerHost = Math.max(1, devicesPerHost);
    private final int lanes = hosts * lanesPerHost;
    private final int[] freePlaces = new int[lanes];
    private final int[] freeSlots = new int[hosts];
    private final boolean[] deviceBusy = new boolean[lanes];
    private final List<ArrayDeque<Integer>> ready = new ArrayList<>();
    private final List<ArrayDeque<int[]>> waiting = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long order;
    private int next;
    private double now;
    private double deviceSeconds;
    private double cpuSeconds;
    private double memoryStalls;

    Run(List<PartitionCost> costs, int partitions) {
      this.costs = costs;
      this.partitions = partitions;
      Arrays.fill(freePlaces, devicesPerHost == 0 ? Math.min(cpuSlots, places) : places);
      Arrays.fill(freeSlots, cpuSlots);
      for (int i = 0; i < lanes; i++) {
        ready.add(new ArrayDeque<>());
      }
      for (int i = 0; i < hosts; i++) {
        waiting.add(new ArrayDeque<>());
      }
    }

    private PartitionCost cost(int partition) {
      return costs.get(partition % costs.size());
    }

    Outcome run() {
      // Round by round, so that few partitions spread over many devices.
      int most = freePlaces[0];
      for (int place = 0; place < most; place++) {
        for (int lane = 0; lane < lanes && next < partitions; lane++) {
          admit(lane);
        }
      }
      while (!events.isEmpty()) {
        Event event = events.poll();
        now = event.time();
        ended(event);
      }
      double devices = (double) hosts * devicesPerHost;
      double deviceUse = devices == 0 ? 0 : deviceSeconds / (now * devices);
      double cpuUse = cpuSeconds / (now * hosts * cpuSlots);
      return new Outcome(
          partitions, now, partitions / now, deviceUse, cpuUse, bottleneck(deviceUse, cpuUse));
    }

    private String bottleneck(double deviceUse, double cpuUse) {
      if (partitions < lanes) {
        return "partitions";
      }
      if (Math.max(deviceUse, cpuUse) < 0.8 && memoryStalls > 0.1 * now * lanes) {
        return "memory";
      }
      return devicesPerHost > 0 && deviceUse >= cpuUse ? "device" : "cpu";
    }

    private void admit(int lane) {
      freePlaces[lane]--;
      int partition = next++;
      takeCpu(lane, partition, Stage.BEFORE);
    }

    private void takeCpu(int lane, int partition, Stage stage) {
      int host = lane / lanesPerHost;
      if (freeSlots[host] == 0) {
        waiting.get(host).add(new int[] {lane, partition, stage.ordinal()});
        return;
      }
      freeSlots[host]--;
      PartitionCost cost = cost(partition);
      double takes =
          devicesPerHost == 0 ? cost.total() : stage == Stage.BEFORE ? cost.before() : cost.after();
      cpuSeconds += takes;
      // Without devices the CPU does all of it in one go.
      Stage ends = devicesPerHost == 0 ? Stage.AFTER : stage;
      events.add(new Event(now + takes, order++, partition, lane, ends));
    }

    private void ended(Event event) {
      int lane = event.lane();
      switch (event.ended()) {
        case BEFORE -> {
          giveCpu(lane);
          ready.get(lane).add(event.partition());
          startDevice(lane);
        }
        case DEVICE -> {
          deviceBusy[lane] = false;
          takeCpu(lane, event.partition(), Stage.AFTER);
          startDevice(lane);
          if (!deviceBusy[lane] && freePlaces[lane] == 0 && next < partitions) {
            memoryStalls += cost(next).before();
          }
        }
        default -> {
          freePlaces[lane]++;
          giveCpu(lane);
          if (next < partitions) {
            admit(lane);
          }
        }
      }
    }

    private void giveCpu(int lane) {
      int host = lane / lanesPerHost;
      freeSlots[host]++;
      int[] first = waiting.get(host).poll();
      if (first != null) {
        takeCpu(first[0], first[1], Stage.values()[first[2]]);
      }
    }

    private void startDevice(int lane) {
      if (devicesPerHost > 0 && !deviceBusy[lane] && !ready.get(lane).isEmpty()) {
        deviceBusy[lane] = true;
        int partition = ready.get(lane).poll();
        double takes = cost(partition).device();
        deviceSeconds += takes;
        events.add(new Event(now + takes, order++, partition, lane, Stage.DEVICE));
      }
    }
  }
}
