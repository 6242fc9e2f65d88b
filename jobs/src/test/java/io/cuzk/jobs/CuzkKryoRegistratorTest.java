package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CuzkKryoRegistratorTest {
  static List<Class<? extends Record>> messages() {
    return CuzkKryoRegistrator.MESSAGES;
  }

  private static Kryo strict() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.kryo.registrationRequired", "true")
            .set("spark.kryo.registrator", CuzkKryoRegistrator.class.getName());
    return new KryoSerializer(conf).newKryo();
  }

  @ParameterizedTest
  @MethodSource("messages")
  void everyMessageMakesTheRoundTripWithoutAnUnregisteredClass(Class<? extends Record> type)
      throws ReflectiveOperationException {
    for (boolean nulls : new boolean[] {false, true}) {
      Record sent = sample(type, nulls);
      Output output = new Output(1 << 10, -1);
      strict().writeClassAndObject(output, sent);
      Object received = strict().readClassAndObject(new Input(output.toBytes()));
      assertThat(received).usingRecursiveComparison().isEqualTo(sent);
    }
  }

  @Test
  void anUnregisteredClassIsRefused() {
    record Stranger(int x) {}
    assertThatThrownBy(() -> strict().writeClassAndObject(new Output(64, -1), new Stranger(1)))
        .hasMessageContaining("not registered");
  }

  /** A message whose components all differ from their defaults; reference ones null on demand. */
  private static Record sample(Class<? extends Record> type, boolean nulls)
      throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] parameters = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      parameters[i] = components[i].getType();
      values[i] = value(parameters[i], nulls, i);
    }
    Constructor<? extends Record> constructor = type.getDeclaredConstructor(parameters);
    constructor.setAccessible(true);
    return constructor.newInstance(values);
  }

  private static Object value(Class<?> type, boolean nulls, int i)
      throws ReflectiveOperationException {
    if (type == int.class) {
      return i + 1;
    }
    if (type == long.class) {
      return (1L << 40) + i;
    }
    if (type == boolean.class) {
      return true;
    }
    if (nulls) {
      return null;
    }
    if (type == Long.class) {
      return (1L << 41) + i;
    }
    if (type == String.class) {
      return "text " + i;
    }
    if (type == byte[].class) {
      return new byte[] {1, 2, (byte) i};
    }
    if (type == List.class) {
      return new ArrayList<>(List.of(sample(Preflight.KeyFound.class, false)));
    }
    return sample(type.asSubclass(Record.class), false);
  }
}
