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

  /** Excel writes UTF-8 with a byte order mark. */
  @Test
  void aByteOrderMarkIsNoPartOfTheFirstColumnsName() throws IOException {
    expect(
        resolve(
            "m.csv",
            "\uFEFFpath,miner,sector,priority,deadline\r\n"
                + "c1/b.json,f01000,7,5,2026-01-02T00:00:00Z\r\nc1/a.json,,,,\r\n"));
    expect(
        resolve(
            "m.jsonl",
            "\uFEFF{\"path\":\"c1/b.json\",\"miner\":1000,\"sector\":7,\"priority\":5,"
                + "\"deadline\":\"2026-01-02T00:00:00Z\"}\n{\"path\":\"c1/a.json\"}"));
  }

  @Test
  void aManifestInTheDirectoryHoldsForFilesThatComeBeforeIt() throws IOException {
    resolve("c1/b.csv", "path,miner,sector,priority,deadline\na.json,1000,7,3,\nc.json,,,4,\n");
    String c1 = temp + "/c1";
    for (List<String> written :
        List.of(List.of(c1), List.of(c1, c1 + "/b.csv"), List.of(c1 + "/*.json", c1 + "/b.csv"))) {
      assertThat(InputPaths.resolve(written, files))
          .as(written.toString())
          .containsExactlyInAnyOrder(
              new InputFile("file:" + c1 + "/a.json", 2, 1000L, 7L, 3, PartitionOrder.NO_DEADLINE),
              InputFile.of("file:" + c1 + "/b.json", 2),
              new InputFile("file:" + c1 + "/c.json", 2, null, null, 4, PartitionOrder.NO_DEADLINE))
          .first()
          .isEqualTo(
              new InputFile("file:" + c1 + "/a.json", 2, 1000L, 7L, 3, PartitionOrder.NO_DEADLINE));
    }
  }

  @Test
  void twoLinesForOneFileAreRefusedByNumber() throws IOException {
    assertThatThrownBy(
            () -> resolve("m.csv", "path,priority\nc1/a.json,1\nc1/b.json,2\n./c1/a.json,3\n"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("c1/a.json is named twice")
        .hasMessageContaining("m.csv line 2")
        .hasMessageContaining("m.csv line 4");
    Path other = Files.writeString(temp.resolve("n.jsonl"), "{\"path\":\"c1/b.json\"}");
    Path first = Files.writeString(temp.resolve("m.csv"), "path\nc1/b.json");
    assertThatThrownBy(() -> InputPaths.resolve(List.of(first.toString(), other.toString()), files))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("m.csv line 2")
        .hasMessageContaining("n.jsonl line 1");
  }

  @Test
  void theOldestSectorOfADirectoryIsTheFirst() throws IOException {
    Path c1 = Files.createDirectories(temp.resolve("many"));
    List<String> ordered =
        List.of(
            "s-t01000-2.json",
            "s-t01000-9.json",
            "s-t01000-010.json",
            "s-t01000-99999999999999999999.json",
            "s-t01000-100000000000000000000.json",
            "s-t02000-1.json",
            "s-t10000-1.json");
    for (String name : ordered) {
      Files.writeString(c1.resolve(name), "{}");
    }
    for (String written : List.of(c1.toString(), c1 + "/*.json")) {
      assertThat(InputPaths.resolve(List.of(written), files))
          .extracting(file -> file.path().substring(file.path().lastIndexOf('/') + 1))
          .isEqualTo(ordered);
    }
  }

  @Test
  void namesAreOrderedWithoutContradiction() {
    List<String> ordered =
        List.of("", "01", "1", "1a", "2", "10", "10a02", "10a2", "10a10", "a", "b1");
    for (int i = 0; i < ordered.size(); i++) {
      for (int j = 0; j < ordered.size(); j++) {
        assertThat(Integer.signum(InputPaths.compareNames(ordered.get(i), ordered.get(j))))
            .as(ordered.get(i) + " and " + ordered.get(j))
            .isEqualTo(Integer.compare(i, j));
      }
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
