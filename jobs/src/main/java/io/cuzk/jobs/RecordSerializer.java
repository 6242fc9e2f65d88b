package io.cuzk.jobs;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;

/**
 * Kryo for records, through accessors and the canonical constructor: the Kryo that Spark carries
 * would set final fields, which records do not allow, and would pass by their validation.
 */
final class RecordSerializer<T extends Record> extends Serializer<T> {
  private final RecordComponent[] components;
  private final Constructor<T> constructor;

  RecordSerializer(Class<T> type) {
    super(false, true);
    components = type.getRecordComponents();
    Class<?>[] parameters = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      parameters[i] = components[i].getType();
      components[i].getAccessor().setAccessible(true);
    }
    try {
      constructor = type.getDeclaredConstructor(parameters);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(type + " has no canonical constructor", e);
    }
    constructor.setAccessible(true);
  }

  @Override
  public void write(Kryo kryo, Output output, T record) {
    for (RecordComponent component : components) {
      kryo.writeClassAndObject(output, value(component, record));
    }
  }

  private Object value(RecordComponent component, T record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component.toString(), e);
    }
  }

  @Override
  public T read(Kryo kryo, Input input, Class<T> type) {
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = kryo.readClassAndObject(input);
    }
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.toString(), e);
    }
  }
}
