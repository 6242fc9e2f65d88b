package io.cuzk.notebooks.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.notebooks.Picture;
import io.cuzk.notebooks.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * Every cell of every notebook on the samples, in the kernel's shell without Jupyter, so on every
 * machine. Leaves the pictures under target/pictures to be looked at.
 */
class CellsOfNotebooksTest {
  private static final Path HERE = Path.of("").toAbsolutePath();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1-first-look",
        "2-timeline",
        "3-where-the-time-goes",
        "4-ab-laboratory",
        "5-cluster-scaling"
      })
  void everyCellShowsWhatItPromises(String name) throws Exception {
    JsonNode notebook = new ObjectMapper().readTree(HERE.resolve(name + ".ipynb").toFile());
    Path pictures = Files.createDirectories(HERE.resolve("target/pictures"));
    int drawn = 0;
    int tables = 0;
    try (Cells cells = new Cells()) {
      for (JsonNode cell : notebook.path("cells")) {
        if (!cell.path("cell_type").asText().equals("code")) {
          continue;
        }
        StringBuilder source = new StringBuilder();
        cell.path("source").forEach(line -> source.append(line.asText()));
        long begin = System.nanoTime();
        Object value = cells.run(source.toString());
        System.out.printf(
            "%s %.2f s: %s%n",
            cell.path("id").asText(),
            (System.nanoTime() - begin) * 1e-9,
            source.toString().lines().findFirst().orElse(""));
        if (value instanceof Chart<?, ?> chart) {
          Files.write(pictures.resolve(name + "-" + ++drawn + ".png"), Picture.of(chart).png());
        } else {
          assertThat(value).as(source.toString()).isInstanceOfAny(Table.class, String.class);
          System.out.println(value);
          tables++;
        }
      }
    }
    assertThat(drawn).isPositive();
    assertThat(tables).isPositive();
  }
}
