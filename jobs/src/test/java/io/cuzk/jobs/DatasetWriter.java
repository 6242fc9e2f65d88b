package io.cuzk.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.NanoTime;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.datasources.parquet.SparkToParquetSchemaConverter;
import org.apache.spark.sql.internal.SQLConf;

/** Writes records as a dataset in Spark's own Parquet schema, without a Spark session. */
public final class DatasetWriter {
  private DatasetWriter() {}

  /** One part file. */
  public static <T extends Record> void write(
      Path directory, RecordType<T> type, List<? extends T> records) {
    MessageType schema = new SparkToParquetSchemaConverter(new SQLConf()).convert(type.schema());
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (ParquetWriter<Group> out =
        ExampleParquetWriter.builder(
                new LocalOutputFile(directory.resolve("part-00000.snappy.parquet")))
            .withType(schema)
            .withCompressionCodec(CompressionCodecName.SNAPPY)
            .build()) {
      for (T record : records) {
        Group group = groups.newGroup();
        Row row = type.row(record);
        for (int i = 0; i < row.length(); i++) {
          add(group, i, row.get(i));
        }
        out.write(group);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(Group group, int field, Object value) {
    switch (value) {
      case null -> {}
      case Integer number -> group.add(field, number);
      case Long number -> group.add(field, number);
      case Boolean flag -> group.add(field, flag);
      case String text -> group.add(field, text);
      case byte[] bytes -> group.add(field, Binary.fromConstantByteArray(bytes));
      case Timestamp time -> {
        Instant at = time.toInstant();
        long day = Math.floorDiv(at.getEpochSecond(), 86_400);
        long ofDay = Math.floorMod(at.getEpochSecond(), 86_400) * 1_000_000_000L + at.getNano();
        group.add(field, new NanoTime(Math.toIntExact(2_440_588 + day), ofDay));
      }
      default -> throw new IllegalArgumentException("no Parquet form of " + value);
    }
  }
}
