package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is read a page at a time is what parquet-java reads record by record. */
class PageDecoderTest {
  private static final int ROWS = 90_000;
  private static final List<String> COLUMNS =
      List.of("long", "few", "int", "odd", "word", "name", "always", "flag", "none");

  private static final List<String> REQUIRED =
      COLUMNS.stream().filter(name -> !name.equals("word")).toList();
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message m {
            optional int64 long;
            optional int64 few (TIMESTAMP(MICROS,true));
            optional int32 int;
            required int32 odd;
            optional binary word (STRING);
            optional binary name (STRING);
            required int64 always;
            optional boolean flag;
            optional binary none (STRING);
          }
          """);

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void readsWhatParquetReads(WriterVersion version) throws IOException {
    Path file = directory.resolve("data/part-00000.parquet");
    write(file, version);
    Columns columns = read(REQUIRED);
    assertThat(columns.rows()).isEqualTo(ROWS);
    assertThat(columns.text("later", ROWS - 1)).isNull();
    int row = 0;
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), new org.apache.hadoop.fs.Path(file.toUri()))
            .build()) {
      for (Group group = reader.read(); group != null; group = reader.read(), row++) {
        for (String name : COLUMNS) {
          Object expected = value(group, name);
          Object found =
              switch (name) {
                case "word", "name", "none" -> columns.text(name, row);
                default -> {
                  long number = columns.longs(name)[row];
                  yield number == Columns.NULL ? null : number;
                }
              };
          if (!Objects.equals(expected, found)) {
            assertThat(found).as(name + " of row " + row).isEqualTo(expected);
          }
        }
      }
    }
    assertThat(row).isEqualTo(ROWS);
  }

  private static Object value(Group group, String name) {
    if (group.getFieldRepetitionCount(name) == 0) {
      return null;
    }
    return switch (name) {
      case "word", "name", "none" -> group.getString(name, 0);
      case "few" -> 1000 * group.getLong(name, 0);
      case "int", "odd" -> (long) group.getInteger(name, 0);
      case "flag" -> group.getBoolean(name, 0) ? 1L : 0L;
      default -> group.getLong(name, 0);
    };
  }

  private Columns read(List<String> columns) {
    Configuration hadoop = new Configuration();
    RunFiles files = new RunFiles(hadoop);
    return ColumnReader.read(
        files,
        hadoop,
        files.qualify(directory.resolve("data").toString()),
        columns,
        List.of("later", "word"));
  }

  /** Dictionaries, dictionaries that became too large, runs of null, several groups and pages. */
  private static void write(Path file, WriterVersion version) throws IOException {
    Files.createDirectories(file.getParent());
    SplittableRandom random = new SplittableRandom(7);
    SimpleGroupFactory groups = new SimpleGroupFactory(SCHEMA);
    try (ParquetWriter<Group> out =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(SCHEMA)
            .withWriterVersion(version)
            .withCompressionCodec(CompressionCodecName.SNAPPY)
            .withRowGroupSize(1L << 20)
            .withPageSize(1 << 14)
            .withDictionaryPageSize(1 << 16)
            .build()) {
      for (int row = 0; row < ROWS; row++) {
        Group group = groups.newGroup();
        if (random.nextInt(10) > 0) {
          group.add("long", random.nextLong());
        }
        if (row % 5000 > 2500) {
          group.add("few", random.nextLong(40) - 20);
        }
        if (row % 3 > 0) {
          group.add("int", random.nextInt(100_000));
        }
        group.add("odd", row % 7 == 0 ? random.nextInt() : -row);
        group.add("word", "phase " + random.nextInt(17));
        if (row % 1000 > 0) {
          group.add("name", "sector é" + row / 3);
        }
        group.add("always", 4L);
        if (row % 2 == 0) {
          group.add("flag", random.nextBoolean());
        }
        out.write(group);
      }
    }
  }

  @Test
  void mostColumnsAreReadByPages() throws IOException {
    Path file = directory.resolve("data/part-00000.parquet");
    write(file, WriterVersion.PARQUET_1_0);
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            HadoopInputFile.fromPath(
                new org.apache.hadoop.fs.Path(file.toUri()), new Configuration()))) {
      assertThat(reader.getRowGroups()).hasSizeGreaterThan(1);
      for (int i = 0; i < COLUMNS.size(); i++) {
        assertThat(
                PageDecoder.knows(
                    SCHEMA.getColumns().get(i),
                    reader.getRowGroups().getFirst().getColumns().get(i)))
            .as(COLUMNS.get(i))
            .isEqualTo(!COLUMNS.get(i).equals("flag"));
      }
    }
  }

  /** The example of the format's specification: 0 to 7 in three bits each; then a run. */
  @Test
  void readsTheSpecificationsPackedExample() {
    int[] found = new int[13];
    byte[] coded = {3, (byte) 0b10001000, (byte) 0b11000110, (byte) 0b11111010, 10, 6};
    PageDecoder.runs(ByteBuffer.wrap(coded), 3, found, found.length);
    assertThat(found).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 6, 6, 6, 6, 6);
  }

  @Test
  void brokenRunsAreRefused() {
    assertThatThrownBy(() -> PageDecoder.runs(ByteBuffer.wrap(new byte[] {0, 0}), 1, new int[1], 1))
        .hasMessage("an empty run");
    assertThatThrownBy(
            () -> PageDecoder.runs(ByteBuffer.wrap(new byte[] {2, 0}), 40, new int[1], 1))
        .hasMessage("values of 40 bits");
    byte[] endless = {-1, -1, -1, -1, -1, 1};
    assertThatThrownBy(() -> PageDecoder.runs(ByteBuffer.wrap(endless), 1, new int[1], 1))
        .hasMessageContaining("more than five bytes");
  }

  /** Whatever byte is wrong, the answer is the file's name and no crash. */
  @Test
  void aDamagedFileIsNamed() throws IOException {
    Path file = directory.resolve("data/part-00000.parquet");
    write(file, WriterVersion.PARQUET_1_0);
    byte[] whole = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(11);
    int refused = 0;
    for (int i = 0; i < 40; i++) {
      byte[] damaged = whole.clone();
      int at = random.nextInt(4, whole.length / 2);
      for (int j = 0; j < 16; j++) {
        damaged[at + j] ^= (byte) random.nextInt(1, 256);
      }
      Files.write(file, damaged);
      try {
        read(List.of("long", "name"));
      } catch (InvalidInputException e) {
        assertThat(e).hasMessageContaining(file.getFileName().toString());
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }
}
