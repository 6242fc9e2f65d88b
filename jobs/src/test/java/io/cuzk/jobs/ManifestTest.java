package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.InputPaths.InputFile;
import io.cuzk.prover.PartitionOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestTest {
  @TempDir private Path temp;

  private final RunFiles files = new RunFiles(new Configuration());

  private List<InputFile> resolve(String name, String content) throws IOException {
    Files.createDirectories(temp.resolve("c1"));
    for (String file : List.of("a.json", "b.json", "c.json")) {
      Files.writeString(temp.resolve("c1").resolve(file), "{}");
    }
    Path manifest = Files.writeString(temp.resolve(name), content);
    return InputPaths.resolve(List.of(manifest.toString(), temp + "/c1/c.json"), files);
  }

  private void expect(List<InputFile> found) {
    String c1 = "file:" + temp + "/c1/";
    assertThat(found)
        .containsExactly(
            new InputFile(c1 + "b.json", 2, 1000L, 7L, 5, 1_767_312_000_000L),
            new InputFile(c1 + "a.json", 2, null, null, 0, PartitionOrder.NO_DEADLINE),
            new InputFile(c1 + "c.json", 2, null, null, 0, PartitionOrder.NO_DEADLINE));
  }

  @Test
  void csvNamesItsColumnsInAnyOrder() throws IOException {
    expect(
        resolve(
            "m.csv",
            """
            sector,path,deadline,miner,priority
            7,c1/b.json,2026-01-02T00:00:00Z,f01000,5
            ,c1/a.json,,,

            """));
  }

  @Test
  void jsonLinesSayTheSame() throws IOException {
    expect(
        resolve(
            "m.jsonl",
            """
            {"path":"c1/b.json","miner":1000,"sector":7,"priority":5,"deadline":"2026-01-02T01:00:00+01:00"}
            {"path":"c1/a.json","miner":null}
            """));
  }

  @Test
  void whatCannotBeReadIsNamedByLineAndColumn() {
    record Case(String name, String content, String... said) {}
    for (Case bad :
        List.of(
            new Case("m.csv", "path,prio\nx,1", "m.csv line 1", "'prio'", "priority"),
            new Case("m.csv", "miner,sector\n1,2", "line 1", "no column 'path'"),
            new Case("m.csv", "path,path\nx,y", "there twice"),
            new Case("m.csv", "path,miner\nc1/a.json", "line 2", "2 values"),
            new Case("m.csv", "path,miner\nc1/a.json,f0x", "line 2, miner", "'x' is no number"),
            new Case("m.csv", "path,deadline\nc1/a.json,tomorrow", "line 2, deadline", "tomorrow"),
            new Case("m.csv", "path\n", "names no C1 file"),
            new Case("m.csv", "path\nc1/z.json", "no C1 file at", "c1/z.json (", "line 2"),
            new Case("m.jsonl", "{\"path\":\"a\"", "line 1 is no JSON object"),
            new Case("m.jsonl", "{\"paht\":\"a\"}", "'paht'", "path"),
            new Case("m.jsonl", "[1]", "is no JSON object"))) {
      assertThatThrownBy(() -> resolve(bad.name(), bad.content()))
          .as(bad.content())
          .isInstanceOf(InvalidInputException.class)
          .satisfies(e -> assertThat(e.getMessage()).contains(bad.said()));
    }
  }

  @Test
  void theMostUrgentPartitionIsTheFirst() {
    assertThat(
            List.of(
                    PartitionOrder.of(1),
                    new PartitionOrder(0, 50, 2),
                    new PartitionOrder(2, 90, 3),
                    new PartitionOrder(2, 80, 4),
                    PartitionOrder.of(0))
                .stream()
                .sorted()
                .map(PartitionOrder::sequence))
        .containsExactly(4L, 3L, 2L, 0L, 1L);
  }
}
