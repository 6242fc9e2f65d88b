package io.cuzk.notebooks.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import io.cuzk.notebooks.Picture;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * How long each cell of notebooks takes, pictures drawn, in the kernel's shell: a program for
 * measuring with runs of any size ({@code CellTimes NOTEBOOK.ipynb…}, the runs in {@code
 * CUZK_RUN}). Prints wall and CPU seconds; ends with 1 if a cell's CPU time, spread over two cores,
 * is above five seconds.
 */
final class CellTimes {
  private static final double LIMIT = 5;

  private CellTimes() {}

  public static void main(String[] notebooks) throws Exception {
    if (notebooks.length == 0) {
      System.err.println(
          "usage: CellTimes NOTEBOOK.ipynb… (the runs in the environment's CUZK_RUN)");
      System.exit(2);
    }
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    double worst = 0;
    for (String notebook : notebooks) {
      try (Cells cells = new Cells()) {
        for (JsonNode cell :
            new ObjectMapper().readTree(Path.of(notebook).toFile()).path("cells")) {
          if (!cell.path("cell_type").asText().equals("code")) {
            continue;
          }
          StringBuilder source = new StringBuilder();
          cell.path("source").forEach(line -> source.append(line.asText()));
          long wall = System.nanoTime();
          long cpu = system.getProcessCpuTime();
          Object value = cells.run(source.toString());
          // What a reader waits for: the picture, or the text.
          int shown =
              value instanceof Chart<?, ?> chart
                  ? Picture.of(chart).png().length
                  : String.valueOf(value).length();
          double wallSeconds = (System.nanoTime() - wall) * 1e-9;
          double cpuSeconds = (system.getProcessCpuTime() - cpu) * 1e-9;
          worst = Math.max(worst, cpuSeconds / 2);
          System.out.printf(
              "%-24s %-12s wall %6.2f s  CPU %6.2f s  %7d bytes  %s%n",
              Path.of(notebook).getFileName(),
              cell.path("id").asText(),
              wallSeconds,
              cpuSeconds,
              shown,
              source.toString().lines().findFirst().orElse(""));
        }
      }
    }
    System.exit(worst > LIMIT ? 1 : 0);
  }
}
