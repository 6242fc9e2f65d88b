package io.cuzk.jobs;

import com.esotericsoftware.kryo.Kryo;
import java.util.List;
import org.apache.spark.serializer.KryoRegistrator;

/** Registers every class of this project that crosses the wire between driver and executors. */
public final class CuzkKryoRegistrator implements KryoRegistrator {
  /** The messages; all are records. */
  static final List<Class<? extends Record>> MESSAGES =
      List.of(
          InputPaths.InputFile.class,
          SectorScan.class,
          ScanSector.Scanned.class,
          JobSettings.class,
          PartitionTask.class,
          TaskReport.class,
          Preflight.class,
          Preflight.KeyFound.class,
          VerifyAction.Verdict.class);

  @Override
  public void registerClasses(Kryo kryo) {
    for (Class<? extends Record> message : MESSAGES) {
      register(kryo, message);
    }
    // The arrays in which Spark ships the elements of a partition or of a result.
    kryo.register(Object[].class);
    for (Class<? extends Record> message : MESSAGES) {
      kryo.register(message.arrayType());
    }
    kryo.register(byte[].class);
    kryo.register(java.util.ArrayList.class);
  }

  private static <T extends Record> void register(Kryo kryo, Class<T> message) {
    kryo.register(message, new RecordSerializer<>(message));
  }
}
