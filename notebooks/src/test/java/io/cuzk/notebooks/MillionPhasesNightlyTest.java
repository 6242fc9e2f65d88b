package io.cuzk.notebooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every cell of every notebook on two runs of a million phases each, in a process of its own. The
 * times are printed.
 */
@Tag("nightly")
@Timeout(1800)
class MillionPhasesNightlyTest {
  private static final Path HERE = Path.of("").toAbsolutePath();
  private static final int PHASES = 15;

  @TempDir private Path temp;

  private static int cells(Path notebook) throws IOException {
    int count = 0;
    for (JsonNode cell : new ObjectMapper().readTree(notebook.toFile()).path("cells")) {
      count += cell.path("cell_type").asText().equals("code") ? 1 : 0;
    }
    return count;
  }

  private String times(List<Path> notebooks, String runs) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx2g", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.cuzk.notebooks.kernel.CellTimes");
    notebooks.forEach(notebook -> command.add(notebook.toString()));
    Path out = temp.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().put(Runs.VARIABLE, runs);
    builder.start().waitFor();
    return Files.readString(out);
  }

  @Test
  void everyCellShowsSomething() throws Exception {
    int partitions = Math.ceilDiv(1_000_000, PHASES);
    Path a = temp.resolve("a");
    Path b = temp.resolve("b");
    SyntheticRun.write(a, partitions, 20, 0);
    SyntheticRun.write(b, partitions, 20, 0.1);
    List<Path> notebooks;
    try (Stream<Path> files = Files.list(HERE)) {
      notebooks = files.filter(file -> file.toString().endsWith(".ipynb")).sorted().toList();
    }
    assertThat(notebooks).hasSize(5);
    String times = times(notebooks, a + "," + b);
    System.out.println(times);
    for (Path notebook : notebooks) {
      assertThat(times.lines().filter(line -> line.startsWith("" + notebook.getFileName())))
          .as("cells of %s in:%n%s", notebook, times)
          .hasSize(cells(notebook))
          .allSatisfy(line -> assertThat(line).contains(" wall ").doesNotContain(" 0 bytes"));
    }
    assertThat(times).doesNotContain("Exception");
  }
}
