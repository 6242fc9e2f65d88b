package io.cuzk.jobs;

import io.cuzk.parallel.Workers;
import io.cuzk.porep.ApiVersion;
import io.cuzk.porep.Commit1Codec;
import io.cuzk.porep.RegisteredProof;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.SparseSealer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.sql.SparkSession;

/**
 * On executors: makes C1 files of sectors that were never sealed ({@link SparseSealer}), one a
 * task, on the file system where the run reads them.
 */
final class SparseSectors implements Function<Integer, String> {
  /** The miner that they claim to be of. */
  static final long MINER = 1000;

  private static final long serialVersionUID = 1L;

  private final String directory;
  private final String sectorSize;

  private SparseSectors(String directory, String sectorSize) {
    this.directory = directory;
    this.sectorSize = sectorSize;
  }

  /**
   * Makes sectors 1 … count in a directory of their size, where a file that is there is kept.
   * Returns their paths.
   */
  static List<String> make(SparkSession spark, String parent, String sectorSize, int count) {
    String directory = new Path(parent, sectorSize).toString();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    context.setJobGroup("cuzk-sparse", "cuzk: making " + count + " C1 files of " + sectorSize);
    List<Integer> numbers = IntStream.rangeClosed(1, count).boxed().toList();
    return TaskFailures.unwrap(
        () ->
            new ArrayList<>(
                context
                    .parallelize(numbers, Math.min(count, 256))
                    .map(new SparseSectors(directory, sectorSize))
                    .collect()));
  }

  @Override
  public String call(Integer number) throws IOException {
    RunFiles files = Executor.files();
    Path file = new Path(files.qualify(directory), "s-t0" + MINER + "-" + number + ".json");
    if (!files.exists(file)) {
      SectorShape shape = CustomShape.named(sectorSize);
      RegisteredProof proof =
          RegisteredProof.of(
              shape.registered() ? shape : SectorShape.ofBytes(shape.sectorBytes()),
              ApiVersion.V1_1,
              RegisteredProof.Feature.NONE);
      SplittableRandom random = new SplittableRandom(0x7f4a_7c15L * number);
      byte[] ticket = new byte[32];
      byte[] seed = new byte[32];
      random.nextBytes(ticket);
      random.nextBytes(seed);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Commit1Codec.writeWrapped(
          new SparseSealer(Workers.single())
              .commit1(new SparseSealer.Request(proof, shape, MINER, number, ticket, seed), random),
          number,
          true,
          out);
      files.write(file, out.toByteArray());
    }
    return file.toString();
  }
}
