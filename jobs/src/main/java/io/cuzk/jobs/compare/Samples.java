package io.cuzk.jobs.compare;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Everything measured on a side, sorted once.
 *
 * @param phases names, as in the side's observations
 * @param cpu by phase
 * @param wall by phase
 * @param totalCpu of partitions
 * @param totalWall of partitions
 */
record Samples(
    List<String> phases, List<Sample> cpu, List<Sample> wall, Sample totalCpu, Sample totalWall) {
  private static final Sample NONE = new Sample(new double[0]);

  static Samples of(Observations side) {
    int count = side.phases().size();
    List<Sample> all =
        Stream.of(
                Arrays.stream(side.cpu()),
                Arrays.stream(side.wall()),
                Stream.of(side.totalCpu(), side.totalWall()))
            .flatMap(rows -> rows)
            .toList()
            .parallelStream()
            .map(Sample::of)
            .toList();
    return new Samples(
        side.phases(),
        all.subList(0, count),
        all.subList(count, 2 * count),
        all.get(2 * count),
        all.get(2 * count + 1));
  }

  /** CPU seconds of a phase; none if it never happened. */
  Sample cpu(String phase) {
    int at = phases.indexOf(phase);
    return at < 0 ? NONE : cpu.get(at);
  }

  /** Wall seconds of a phase. */
  Sample wall(String phase) {
    int at = phases.indexOf(phase);
    return at < 0 ? NONE : wall.get(at);
  }
}
