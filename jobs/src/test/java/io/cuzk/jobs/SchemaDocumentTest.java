package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/schema.md} is what the record classes say. After a change of theirs:
 *
 * <pre>mvn -pl jobs -am test -Dtest=SchemaDocumentTest -Dschema.write=true</pre>
 */
class SchemaDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "schema.md");

  private static String document() {
    Map<String, Class<? extends Record>> datasets = new LinkedHashMap<>();
    datasets.put("proofs", ProofRecord.class);
    datasets.put("phases", PhaseRecord.class);
    datasets.put("sectors", SectorRecord.class);
    datasets.put("devices", DeviceRecord.class);
    StringBuilder text = new StringBuilder();
    text.append("# What a run leaves: Parquet datasets\n\n");
    text.append("Schema version ").append(ProofRecord.SCHEMA_VERSION);
    text.append(
        """
        , in every row and in `run.json`. Names and types stay; a version that a reader
        could misread gets a new number, an added column does not. Units are in the names: `_ns`
        nanoseconds, `_bytes` bytes. Made from the record classes of `jobs` by `SchemaDocumentTest`,
        which fails when this file is not what they say.

        A dataset is a directory of Parquet files (Snappy). Each is replaced at once when a session
        ends, with the rows of earlier sessions of the same run directory. Only proofs that verified
        are in `proofs/`.
        """);
    datasets.forEach((name, type) -> text.append(dataset(name, type)));
    text.append(
        """

        ## Phases

        In the order of a partition: `queue.wait` (before the task began), `input.parse`,
        `key.load`, `synthesis.witness`, `synthesis.evaluate`, `device.wait`, `upload`, `quotient`
        (the transforms), `msm.h`, `msm.l`, `msm.a`, `msm.b1`, `msm.b2`, `assemble`, `verify`,
        `write` (after the proof's own times). A backend leaves out what it does not do, and may add
        phases that lie within these.
        """);
    return text.toString();
  }

  private static String dataset(String name, Class<? extends Record> type) {
    StringBuilder text = new StringBuilder("\n## `" + name + "/`\n\n");
    text.append("| column | type | null | unit | meaning |\n|---|---|---|---|---|\n");
    for (RecordComponent component : type.getRecordComponents()) {
      StructField field =
          RecordType.of(type).schema().apply(RecordType.column(component.getName()));
      Meaning meaning = component.getAnnotation(Meaning.class);
      assertThat(meaning).as(type + "." + component.getName()).isNotNull();
      text.append(
          "| `%s` | %s | %s | %s | %s |\n"
              .formatted(
                  field.name(),
                  field.dataType().simpleString(),
                  field.nullable() ? "yes" : "no",
                  unit(field.name()),
                  meaning.value()));
    }
    return text.toString();
  }

  private static String unit(String column) {
    return column.endsWith("_ns") ? "ns" : column.endsWith("_bytes") ? "bytes" : "";
  }

  @Test
  void documentIsWhatTheRecordsSay() throws IOException {
    String expected = document();
    if (Boolean.getBoolean("schema.write")) {
      Files.writeString(DOCUMENT, expected);
    }
    assertThat(Files.readString(DOCUMENT))
        .as("docs/schema.md is stale; rerun this test with -Dschema.write=true")
        .isEqualTo(expected);
  }

  @Test
  void numbersWithAUnitSayItInTheirNames() {
    for (RecordType<?> type :
        java.util.List.of(
            ProofRecord.TYPE, PhaseRecord.TYPE, SectorRecord.TYPE, DeviceRecord.TYPE)) {
      for (StructField field : type.schema().fields()) {
        if (field.dataType().simpleString().equals("bigint")) {
          assertThat(field.name()).matches(".*(_ns|_bytes|_id|_number)");
        }
      }
    }
  }
}
