package io.cuzk.jobs;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The typed mapping between a Java record and a Spark row, a Parquet schema and a JSON object.
 *
 * <p>A component {@code wallNs} is the column {@code wall_ns}. Components may be {@code int, long,
 * double, boolean, String, byte[], Instant}, boxed (then nullable), another record, or a list of
 * records; all but the primitive ones are nullable. Immutable and thread-safe.
 */
public final class RecordType<T extends Record> {
  private static final Map<Class<?>, RecordType<?>> KNOWN = new ConcurrentHashMap<>();

  private final Class<T> type;
  private final RecordComponent[] components;
  private final String[] names;
  private final Constructor<T> constructor;
  private final StructType schema;

  private RecordType(Class<T> type) {
    this.type = type;
    this.components = type.getRecordComponents();
    this.names = new String[components.length];
    Class<?>[] parameters = new Class<?>[components.length];
    StructField[] fields = new StructField[components.length];
    for (int i = 0; i < components.length; i++) {
      names[i] = column(components[i].getName());
      parameters[i] = components[i].getType();
      fields[i] =
          DataTypes.createStructField(
              names[i], dataType(components[i].getGenericType()), !parameters[i].isPrimitive());
      components[i].getAccessor().setAccessible(true);
    }
    this.schema = DataTypes.createStructType(fields);
    try {
      this.constructor = type.getDeclaredConstructor(parameters);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(type + " has no canonical constructor", e);
    }
    constructor.setAccessible(true);
  }

  /**
   * The mapping of a record class.
   *
   * @throws IllegalArgumentException if a component has a type outside the list above
   */
  @SuppressWarnings("unchecked")
  public static <T extends Record> RecordType<T> of(Class<T> type) {
    RecordType<?> known = KNOWN.get(type);
    if (known == null) {
      known = new RecordType<>(type);
      KNOWN.put(type, known);
    }
    return (RecordType<T>) known;
  }

  /** The Spark and Parquet schema. */
  public StructType schema() {
    return schema;
  }

  /** The column of a component: {@code wallNs} is {@code wall_ns}. */
  static String column(String component) {
    return component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  /** The row of a record. */
  public Row row(T record) {
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = toSpark(value(record, i));
    }
    return RowFactory.create(values);
  }

  /**
   * The record of a row that has at least this type's required columns, in any order. A nullable
   * column that it lacks, as an older row does, is null.
   */
  public T read(Row row) {
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      if (schema.apply(i).nullable() && row.schema().getFieldIndex(names[i]).isEmpty()) {
        continue;
      }
      int at = row.fieldIndex(names[i]);
      values[i] = row.isNullAt(at) ? null : fromSpark(row.get(at), components[i].getGenericType());
    }
    return construct(values);
  }

  /** Writes a record as a JSON object; bytes as base64, as Spark's reader wants them. */
  public void writeJson(T record, JsonGenerator json) throws IOException {
    json.writeStartObject();
    for (int i = 0; i < components.length; i++) {
      Object value = value(record, i);
      if (value != null) {
        json.writeFieldName(names[i]);
        writeValue(value, json);
      }
    }
    json.writeEndObject();
  }

  private static void writeValue(Object value, JsonGenerator json) throws IOException {
    switch (value) {
      case byte[] bytes -> json.writeBinary(bytes);
      case Integer number -> json.writeNumber(number);
      case Long number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case Boolean flag -> json.writeBoolean(flag);
      case Record record -> writeRecord(record, json);
      case List<?> list -> {
        json.writeStartArray();
        for (Object element : list) {
          writeValue(element, json);
        }
        json.writeEndArray();
      }
      default -> json.writeString(value.toString());
    }
  }

  @SuppressWarnings("unchecked")
  private static <R extends Record> void writeRecord(R record, JsonGenerator json)
      throws IOException {
    RecordType.of((Class<R>) record.getClass()).writeJson(record, json);
  }

  private Object value(T record, int i) {
    try {
      return components[i].getAccessor().invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(type + "." + components[i].getName(), e);
    }
  }

  private T construct(Object[] values) {
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(type.toString(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.toString(), e);
    }
  }

  private static DataType dataType(Type type) {
    if (type == int.class || type == Integer.class) {
      return DataTypes.IntegerType;
    }
    if (type == long.class || type == Long.class) {
      return DataTypes.LongType;
    }
    if (type == double.class || type == Double.class) {
      return DataTypes.DoubleType;
    }
    if (type == boolean.class || type == Boolean.class) {
      return DataTypes.BooleanType;
    }
    if (type == String.class) {
      return DataTypes.StringType;
    }
    if (type == byte[].class) {
      return DataTypes.BinaryType;
    }
    if (type == Instant.class) {
      return DataTypes.TimestampType;
    }
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      return DataTypes.createArrayType(dataType(list.getActualTypeArguments()[0]), false);
    }
    if (type instanceof Class<?> nested && nested.isRecord()) {
      return recordType(nested).schema();
    }
    throw new IllegalArgumentException("no column type for " + type);
  }

  @SuppressWarnings("unchecked")
  private static <R extends Record> RecordType<R> recordType(Type type) {
    return of((Class<R>) type);
  }

  private static Object toSpark(Object value) {
    return switch (value) {
      case null -> null;
      case Instant instant -> Timestamp.from(instant);
      case List<?> list -> {
        List<Object> rows = new ArrayList<>(list.size());
        for (Object element : list) {
          rows.add(toSpark(element));
        }
        yield rows.toArray();
      }
      case Record record -> rowOf(record);
      default -> value;
    };
  }

  @SuppressWarnings("unchecked")
  private static <R extends Record> Row rowOf(R record) {
    return RecordType.of((Class<R>) record.getClass()).row(record);
  }

  private static Object fromSpark(Object value, Type type) {
    if (value instanceof Timestamp timestamp) {
      return timestamp.toInstant();
    }
    if (value instanceof Row row) {
      return recordType(type).read(row);
    }
    if (value instanceof scala.collection.Seq<?> sequence) {
      Type element = ((ParameterizedType) type).getActualTypeArguments()[0];
      List<Object> list = new ArrayList<>(sequence.size());
      for (int i = 0; i < sequence.size(); i++) {
        list.add(fromSpark(sequence.apply(i), element));
      }
      return List.copyOf(list);
    }
    return value;
  }
}
