package io.cuzk.submit;

import io.cuzk.InvalidInputException;
import io.cuzk.field.Arithmetic;
import io.cuzk.groth16.NativeKeyFile;
import io.cuzk.groth16.NativeKeyWriter;
import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.groth16.ToxicWaste;
import io.cuzk.jobs.KeyFiles;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.StackedCircuit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cuzk setup}. */
@Command(
    name = "setup",
    description = {
      "Makes TEST parameters of one sector size.",
      "They come from fresh randomness that nobody else checks. Filecoin's come from its ceremony:",
      "use those for real sectors."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk setup --sector-size 2KiB --params params/",
      "  cuzk setup --sector-size 8MiB --params params/"
    })
final class SetupCommand implements Callable<Integer> {
  @Mixin private Common common;

  @Option(
      names = "--sector-size",
      required = true,
      paramLabel = "S",
      converter = Sizes.class,
      description = "2KiB … 64GiB.")
  private SectorShape size;

  @Option(names = "--params", required = true, paramLabel = "D", description = "Where to.")
  private Path directory;

  @Option(
      names = "--test-secrets",
      paramLabel = "FILE",
      description = "Known secrets, for tests: whoever has the file can forge proofs.")
  private Path secrets;

  @Option(names = "--force", description = "Replace parameters that are already there.")
  private boolean force;

  @Option(
      names = "--threads",
      paramLabel = "T",
      defaultValue = "0",
      description = "Compute threads; 0: all cores.")
  private int threads;

  @Override
  public Integer call() {
    Sizes.requireRegistered(size, "setup");
    KeyFiles files = KeyFiles.of(directory, size);
    if (files.present() && !force) {
      throw new InvalidInputException(
          "parameters of "
              + size.name()
              + " are already in "
              + directory
              + "; --force replaces them");
    }
    if (secrets != null) {
      common.note(
          "cuzk: WARNING: parameters from the known secrets in "
              + secrets
              + ": anyone who has them can forge proofs. For tests only.");
    }
    long begun = System.nanoTime();
    ParameterGenerator.Result made = make(common, size, files, secrets, threads);
    Duration wall = Duration.ofNanos(System.nanoTime() - begun);
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("sector_size", size.name());
    object.put("params", made.params().toString());
    object.put("vk", made.vk().toString());
    object.put("native_key", NativeKeyFile.beside(made.params()).toString());
    object.put("bytes", made.bytes());
    object.put("digest", made.digest());
    object.put("vk_digest", made.vkDigest());
    object.put("test_secrets", secrets != null);
    object.put("wall_s", wall.toMillis() / 1e3);
    common.object(object);
    common.say("parameters:    " + made.params() + " (" + made.bytes() + " bytes)");
    common.say("verifying key: " + made.vk());
    common.say("native key:    " + NativeKeyFile.beside(made.params()));
    common.say("digest:        " + made.digest());
    common.say("made in " + wall.toSeconds() + " s. TEST parameters: not Filecoin's.");
    return ExitCode.GOOD;
  }

  /** Makes them and the native key file; {@code secrets} may be null. */
  static ParameterGenerator.Result make(
      Common common, SectorShape shape, KeyFiles files, Path secrets, int threads) {
    int count = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
    Arithmetic.prepare(); // compiles beside the reading of the circuit
    try (ProgressLines progress = ProgressLines.on(common.err());
        Workers workers = Workers.of(count)) {
      ParameterGenerator.Result made = generate(shape, files, secrets, workers, progress);
      NativeKeyWriter.convert(files.params(), workers, progress::advanced);
      return made;
    }
  }

  private static ParameterGenerator.Result generate(
      SectorShape shape, KeyFiles files, Path secrets, Workers workers, ProgressLines progress) {
    if (secrets == null) {
      return ParameterGenerator.generate(
          StackedCircuit.blank(shape), files.params(), files.vk(), workers, progress::advanced);
    }
    try (ToxicWaste known = ToxicWaste.readForTests(secrets)) {
      return ParameterGenerator.generate(
          StackedCircuit.blank(shape),
          known,
          files.params(),
          files.vk(),
          "cuzk setup --test-secrets: forgeable, for tests",
          workers,
          progress::advanced);
    }
  }
}
