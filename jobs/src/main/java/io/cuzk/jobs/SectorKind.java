package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import io.cuzk.porep.SectorShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sectors of a run that are alike, so that their times can be compared.
 *
 * @param sectorSize for example {@code 2KiB}
 * @param shape of an experiment, as in {@link CustomShape}; null for the size's own
 * @param partitions of each
 * @param sectors of the run that are like that and have a verified partition
 */
public record SectorKind(String sectorSize, String shape, int partitions, int sectors) {
  /**
   * The kinds of a run, in the order of its sectors; empty if it proved none.
   *
   * @throws InvalidInputException if the run has not ended
   */
  public static List<SectorKind> of(RunData run) {
    Columns rows =
        run.read(RunData.SECTORS, "sector_size_bytes", "partitions", "partitions_verified");
    String shape = run.record().path("configuration").path(CuzkConf.SHAPE.name()).asText("none");
    String custom = shape.equals("none") ? null : shape;
    Map<SectorKind, Integer> count = new LinkedHashMap<>();
    for (int row = 0; row < rows.rows(); row++) {
      if (rows.longs("partitions_verified")[row] > 0) {
        String size = name(rows.longs("sector_size_bytes")[row]);
        int partitions = (int) rows.longs("partitions")[row];
        count.merge(new SectorKind(size, custom, partitions, 0), 1, Integer::sum);
      }
    }
    List<SectorKind> kinds = new ArrayList<>();
    count.forEach(
        (kind, sectors) ->
            kinds.add(new SectorKind(kind.sectorSize, kind.shape, kind.partitions, sectors)));
    return kinds;
  }

  /** What {@code run.json} calls the size of its parameters. */
  public String parametersName() {
    return shape == null ? sectorSize : shape;
  }

  /** For example {@code 8 of 2KiB (1 partition each)}. */
  public String describe() {
    return "%d of %s%s (%d partition%s each)"
        .formatted(
            sectors,
            sectorSize,
            shape == null ? "" : " in the shape " + shape,
            partitions,
            partitions == 1 ? "" : "s");
  }

  private static String name(long bytes) {
    try {
      return SectorShape.ofBytes(bytes).name();
    } catch (InvalidInputException e) {
      return bytes + " bytes"; // of an experiment
    }
  }
}
