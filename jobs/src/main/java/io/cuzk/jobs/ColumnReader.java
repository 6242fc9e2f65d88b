package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/** Reads columns of a Parquet dataset column by column, without a Spark session. */
final class ColumnReader {
  private static final long JULIAN_DAY_OF_1970 = 2_440_588;

  private final Columns columns = new Columns();
  private final List<String> names;
  private final List<String> added;
  private final Configuration hadoop;

  private ColumnReader(Configuration hadoop, List<String> names, List<String> added) {
    this.hadoop = hadoop;
    this.names = names;
    this.added = added;
    added.forEach(columns::texts);
  }

  /**
   * Reads a dataset.
   *
   * @param directory its part files are read in the order of their names
   * @param added columns of text that a part may lack: null in its rows
   * @throws InvalidInputException if a part is no Parquet file or lacks a column
   */
  static Columns read(
      RunFiles files,
      Configuration hadoop,
      Path directory,
      List<String> names,
      List<String> added) {
    ColumnReader reader = new ColumnReader(hadoop, names, added);
    List<FileStatus> parts = new ArrayList<>(files.list(directory));
    parts.removeIf(part -> !part.getPath().getName().endsWith(".parquet"));
    if (parts.isEmpty()) {
      throw new InvalidInputException(
          "no Parquet files in "
              + RunFiles.show(directory)
              + "; the datasets are written when a run ends ('cuzk status' shows how far it is)");
    }
    parts.sort((a, b) -> a.getPath().compareTo(b.getPath()));
    parts.forEach(reader::readPart);
    return reader.columns;
  }

  private void readPart(FileStatus part) {
    String shown = RunFiles.show(part.getPath());
    try (ParquetFileReader file =
        ParquetFileReader.open(HadoopInputFile.fromStatus(part, hadoop))) {
      MessageType whole = file.getFileMetaData().getSchema();
      List<Type> wanted = new ArrayList<>();
      for (String name : names) {
        if (!whole.containsField(name) || !whole.getType(name).isPrimitive()) {
          throw new InvalidInputException(
              "%s has no column %s, only %s; docs/schema.md lists what a run leaves"
                  .formatted(shown, name, whole.getFields().stream().map(Type::getName).toList()));
        }
        wanted.add(whole.getType(name));
      }
      added.stream().filter(whole::containsField).map(whole::getType).forEach(wanted::add);
      MessageType schema = new MessageType(whole.getName(), wanted);
      file.setRequestedSchema(schema);
      // The columns are there even where the file has no rows.
      Sinks sinks = new Sinks(schema);
      for (int group = 0; group < file.getRowGroups().size(); group++) {
        readGroup(file, group, schema, sinks);
      }
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + shown + ": " + RunFiles.reason(e), e);
    } catch (InvalidInputException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new InvalidInputException(
          "%s is no whole Parquet file: %s".formatted(shown, RunFiles.reason(e)), e);
    }
  }

  private void readGroup(ParquetFileReader file, int group, MessageType schema, Sinks sinks)
      throws IOException {
    BlockMetaData about = file.getRowGroups().get(group);
    int rows = Math.toIntExact(about.getRowCount());
    if (rows == 0) {
      return;
    }
    columns.grow(rows);
    PageReadStore pages = file.readRowGroup(group);
    ColumnReadStoreImpl store = null;
    for (String name : added) {
      if (!schema.containsField(name)) {
        columns.texts(name).addNulls(rows);
      }
    }
    for (int i = 0; i < schema.getFieldCount(); i++) {
      String name = schema.getFieldName(i);
      ColumnDescriptor column = schema.getColumns().get(i);
      PrimitiveType type = column.getPrimitiveType();
      if (!PageDecoder.knows(column, chunk(about, column))) {
        if (store == null) {
          String writer = file.getFileMetaData().getCreatedBy();
          store = new ColumnReadStoreImpl(pages, sinks, schema, writer);
        }
        copy(store.getColumnReader(column), column.getMaxDefinitionLevel(), rows, sinks.at(i));
      } else if (type.getPrimitiveTypeName() == PrimitiveTypeName.BINARY) {
        PageDecoder.text(column, pages.getPageReader(column), rows, columns.texts(name));
      } else {
        PageDecoder.numbers(
            column, pages.getPageReader(column), rows, columns.numbers(name), nanosPerUnit(type));
      }
    }
  }

  private static ColumnChunkMetaData chunk(BlockMetaData group, ColumnDescriptor column) {
    ColumnPath path = ColumnPath.get(column.getPath());
    return group.getColumns().stream()
        .filter(chunk -> chunk.getPath().equals(path))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no data of column " + path));
  }

  private static void copy(
      org.apache.parquet.column.ColumnReader from, int level, int rows, Sink to) {
    for (int row = 0; row < rows; row++) {
      if (from.getCurrentDefinitionLevel() == level) {
        from.writeCurrentValueToConverter();
      } else {
        to.addNull();
      }
      from.consume();
    }
  }

  /** The sinks as Parquet wants them. */
  private final class Sinks extends GroupConverter {
    private final List<Sink> sinks = new ArrayList<>();

    Sinks(MessageType schema) {
      for (Type field : schema.getFields()) {
        PrimitiveType type = field.asPrimitiveType();
        sinks.add(
            type.getPrimitiveTypeName() == PrimitiveTypeName.BINARY
                ? new TextSink(columns.texts(field.getName()))
                : new NumberSink(columns.numbers(field.getName()), nanosPerUnit(type)));
      }
    }

    Sink at(int field) {
      return sinks.get(field);
    }

    @Override
    public Converter getConverter(int field) {
      return sinks.get(field);
    }

    @Override
    public void start() {}

    @Override
    public void end() {}
  }

  /** Times become nanoseconds; other numbers stay as they are. */
  private static long nanosPerUnit(PrimitiveType type) {
    if (!(type.getLogicalTypeAnnotation()
        instanceof LogicalTypeAnnotation.TimestampLogicalTypeAnnotation time)) {
      return 1;
    }
    return switch (time.getUnit()) {
      case MILLIS -> 1_000_000;
      case MICROS -> 1_000;
      case NANOS -> 1;
    };
  }

  private abstract static class Sink extends PrimitiveConverter {
    abstract void addNull();
  }

  private static final class NumberSink extends Sink {
    private final Columns.Numbers column;
    private final long factor;

    NumberSink(Columns.Numbers column, long factor) {
      this.column = column;
      this.factor = factor;
    }

    @Override
    void addNull() {
      column.add(Columns.NULL);
    }

    @Override
    public void addLong(long value) {
      column.add(value * factor);
    }

    @Override
    public void addInt(int value) {
      column.add(value);
    }

    @Override
    public void addBoolean(boolean value) {
      column.add(value ? 1 : 0);
    }

    /** INT96, Spark's form of a time: nanoseconds of the day and the Julian day. */
    @Override
    public void addBinary(Binary value) {
      ByteBuffer bytes = ByteBuffer.wrap(value.getBytes()).order(ByteOrder.LITTLE_ENDIAN);
      long ofDay = bytes.getLong();
      column.add(TimeUnit.DAYS.toNanos(bytes.getInt() - JULIAN_DAY_OF_1970) + ofDay);
    }
  }

  /** Where a page has a dictionary, each of its words is decoded once. */
  private static final class TextSink extends Sink {
    private final Columns.Words column;
    private int[] codes = {};

    TextSink(Columns.Words column) {
      this.column = column;
    }

    @Override
    void addNull() {
      column.add(-1);
    }

    @Override
    public void addBinary(Binary value) {
      column.add(column.code(value.toStringUsingUTF8()));
    }

    @Override
    public boolean hasDictionarySupport() {
      return true;
    }

    @Override
    public void setDictionary(Dictionary dictionary) {
      codes = new int[dictionary.getMaxId() + 1];
      for (int i = 0; i < codes.length; i++) {
        codes[i] = column.code(dictionary.decodeToBinary(i).toStringUsingUTF8());
      }
    }

    @Override
    public void addValueFromDictionary(int id) {
      column.add(codes[id]);
    }
  }
}
