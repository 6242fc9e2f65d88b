package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.GenericRowWithSchema;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class RecordTypeTest {
  record Inner(int partitionIndex, String name) {}

  record Outer(long wallNs, Long minerId, byte[] commR, Instant startedAt, List<Inner> inner) {}

  record Unmappable(Object anything) {}

  @Test
  void columnsAreSnakeCaseAndOnlyPrimitivesAreRequired() {
    StructType schema = RecordType.of(Outer.class).schema();
    assertThat(schema.fieldNames())
        .containsExactly("wall_ns", "miner_id", "comm_r", "started_at", "inner");
    assertThat(schema.apply("wall_ns").nullable()).isFalse();
    assertThat(schema.apply("miner_id").nullable()).isTrue();
    assertThat(schema.apply("inner").dataType().simpleString())
        .isEqualTo("array<struct<partition_index:int,name:string>>");
  }

  @Test
  void everySchemaHasItsVersionAndNoColumnNamedPartition() {
    for (RecordType<?> type :
        List.of(ProofRecord.TYPE, PhaseRecord.TYPE, SectorRecord.TYPE, DeviceRecord.TYPE)) {
      assertThat(type.schema().fieldNames()).contains("schema_version").doesNotContain("partition");
      assertThat(Arrays.stream(type.schema().fields()).map(StructField::name))
          .allMatch(name -> name.matches("[a-z][a-z0-9]*(_[a-z0-9]+)*"));
    }
  }

  @Test
  void jsonLeavesOutNullsAndEncodesBytesInBase64() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      RecordType.of(Outer.class)
          .writeJson(
              new Outer(
                  1L << 40, null, new byte[] {1, 2}, Instant.EPOCH, List.of(new Inner(3, "x"))),
              json);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"wall_ns\":1099511627776,\"comm_r\":\"AQI=\",\"started_at\":\"1970-01-01T00:00:00Z\","
                + "\"inner\":[{\"partition_index\":3,\"name\":\"x\"}]}");
  }

  @Test
  void olderRowsLackNullableColumnsOnly() {
    StructType older = new StructType().add("name", "string").add("partition_index", "int");
    Row row = new GenericRowWithSchema(new Object[] {"x", 3}, older);
    assertThat(RecordType.of(Inner.class).read(row)).isEqualTo(new Inner(3, "x"));
    Row nameless =
        new GenericRowWithSchema(new Object[] {3}, new StructType().add("partition_index", "int"));
    assertThat(RecordType.of(Inner.class).read(nameless)).isEqualTo(new Inner(3, null));
    Row useless =
        new GenericRowWithSchema(new Object[] {"x"}, new StructType().add("name", "string"));
    assertThatThrownBy(() -> RecordType.of(Inner.class).read(useless))
        .hasMessageContaining("partition_index");
  }

  @Test
  void refusesATypeWithoutAColumn() {
    assertThatThrownBy(() -> RecordType.of(Unmappable.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Object");
  }
}
