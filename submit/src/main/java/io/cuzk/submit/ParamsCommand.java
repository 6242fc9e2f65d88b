package io.cuzk.submit;

import io.cuzk.curve.PointEncoding;
import io.cuzk.groth16.DigestSidecar;
import io.cuzk.groth16.FileDigest;
import io.cuzk.groth16.NativeKeyFile;
import io.cuzk.groth16.NativeKeyWriter;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.PublishedDigests;
import io.cuzk.groth16.TrustedDigest;
import io.cuzk.groth16.VerifyingKey;
import io.cuzk.parallel.Workers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk params}. */
@Command(
    name = "params",
    description = "Converts and looks into parameter files.",
    synopsisSubcommandLabel = "(convert | check | info)",
    mixinStandardHelpOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk params convert v28-….params",
      "  cuzk params info v28-….params.native",
      "  cuzk params check v28-….params"
    })
final class ParamsCommand implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  @picocli.CommandLine.Spec private picocli.CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new picocli.CommandLine.ParameterException(
        spec.commandLine(), "convert, check or info is expected");
  }

  @Command(
      name = "info",
      description = "Shows the sections and digests of a .params, .params.native or .vk file.",
      footerHeading = "%nExamples:%n",
      footer = {"  cuzk params info v28-….params --json"})
  int info(
      @Mixin Common common,
      @Option(names = "--digest", description = "Read the whole file for its digests.")
          boolean withDigest,
      @Parameters(paramLabel = "FILE") Path file) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("file", file.toString());
    VerifyingKey vk;
    if (isKey(file)) {
      vk = VerifyingKey.read(file);
      object.put("bytes", vk.toBytes().length);
      object.put("kind", "vk");
      describe(object, vk);
    } else if (NativeKeyFile.isOne(file)) {
      describeNative(object, file);
    } else {
      try (ParameterFile params = ParameterFile.open(file)) {
        object.put("bytes", params.bytes());
        object.put("kind", "params");
        describe(object, params.vk());
        List<Map<String, Object>> sections = new ArrayList<>();
        for (ParameterFile.Section section : params.sections()) {
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("name", section.name());
          entry.put("points", section.count());
          entry.put("offset", section.dataOffset());
          entry.put("bytes", section.bytes());
          sections.add(entry);
        }
        object.put("sections", sections);
      }
    }
    Optional<DigestSidecar> sidecar = DigestSidecar.read(file);
    sidecar.ifPresent(
        beside -> {
          object.put("expected_digest", beside.digest().blake2b());
          object.put("origin", beside.origin());
        });
    PublishedDigests.ofFile(file.getFileName().toString())
        .ifPresent(entry -> object.put("filecoin_digest", entry.digest()));
    if (withDigest) {
      FileDigest digest = FileDigest.of(file);
      object.put("digest", digest.blake2b());
      object.put("sha256", digest.sha256());
    }
    print(common, object);
    return ExitCode.GOOD;
  }

  @Command(
      name = "check",
      description = {
        "Checks a .params, .params.native or .vk file: its digest or checksums, then every point",
        "(canonical, on the curve, in the subgroup). Leaves a digest beside a .params or .vk file",
        "that has none; holds a native file against the .params file it was made from, where that",
        "is beside it."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  cuzk params check params/v28-….params"})
  int check(@Mixin Common common, @Parameters(paramLabel = "FILE") Path file) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("file", file.toString());
    if (isKey(file)) {
      describe(object, VerifyingKey.read(file));
      object.put("digest", TrustedDigest.require(file, true).digest());
      object.put("verdict", "good");
      print(common, object);
      return ExitCode.GOOD;
    }
    if (NativeKeyFile.isOne(file)) {
      checkNative(common, object, file);
      print(common, object);
      return ExitCode.GOOD;
    }
    boolean vouched =
        DigestSidecar.read(file).isPresent()
            || PublishedDigests.ofFile(file.getFileName().toString()).isPresent();
    try (ParameterFile params = ParameterFile.open(file);
        Workers workers = Workers.of(Runtime.getRuntime().availableProcessors());
        ProgressLines progress = ProgressLines.on(common.err())) {
      io.cuzk.InvalidInputException damaged = null;
      if (vouched) {
        try {
          TrustedDigest trusted = TrustedDigest.require(file, true);
          object.put("digest", trusted.digest());
          object.put("vouched_by", trusted.source());
        } catch (io.cuzk.InvalidInputException e) {
          damaged = e;
        }
      }
      try {
        params.check(PointEncoding.Check.SUBGROUP, workers, progress::advanced);
      } catch (io.cuzk.InvalidInputException e) {
        throw damaged == null
            ? e
            : new io.cuzk.InvalidInputException(
                e.getMessage() + "; and " + damaged.getMessage(), e);
      }
      if (damaged != null) {
        throw damaged;
      }
      if (!vouched) {
        DigestSidecar sidecar = params.digest("cuzk params check: every point is good");
        sidecar.write(file);
        object.put("digest", sidecar.digest().blake2b());
        object.put("vouched_by", "this check (digest left beside the file)");
      }
      long points = params.sections().stream().mapToLong(ParameterFile.Section::count).sum();
      object.put("points_checked", points);
      object.put("verdict", "good");
    }
    print(common, object);
    return ExitCode.GOOD;
  }

  @Command(
      name = "convert",
      description = {
        "Makes the native key file of a .params file, after checking its digest, as",
        "FILE.params.native: provers read it without decoding. As large as the .params file. A",
        "conversion that was cut off is taken up again."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  cuzk params convert params/v28-….params"})
  int convert(
      @Mixin Common common,
      @Option(
              names = "--threads",
              paramLabel = "T",
              defaultValue = "0",
              description = "Compute threads; 0: all cores.")
          int threads,
      @Parameters(paramLabel = "FILE") Path file) {
    long begun = System.nanoTime();
    NativeKeyWriter.Result made;
    try (Workers workers =
            Workers.of(threads > 0 ? threads : Runtime.getRuntime().availableProcessors());
        ProgressLines progress = ProgressLines.on(common.err())) {
      made = NativeKeyWriter.convert(file, workers, progress::advanced);
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("file", made.path().toString());
    object.put("bytes", made.bytes());
    object.put("source_digest", made.sourceDigest());
    object.put("chunks", made.chunks());
    object.put("chunks_found_done", made.chunksFound());
    object.put("wall_s", (System.nanoTime() - begun) / 1_000_000 / 1e3);
    print(common, object);
    return ExitCode.GOOD;
  }

  private static void describeNative(Map<String, Object> object, Path file) {
    try (NativeKeyFile key = NativeKeyFile.open(file)) {
      object.put("bytes", key.bytes());
      object.put("kind", "native");
      describe(object, key.vk());
      object.put("source_digest", key.sourceDigest());
      object.put("source_bytes", key.sourceBytes());
      object.put("h_order", key.hOrder().name());
      List<Map<String, Object>> sections = new ArrayList<>();
      for (NativeKeyFile.Section section : key.sections()) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", section.name());
        entry.put("points", section.count());
        entry.put("offset", section.offset());
        entry.put("bytes", section.count() * section.pointBytes());
        entry.put("chunks", section.chunks());
        sections.add(entry);
      }
      object.put("sections", sections);
    }
  }

  private static void checkNative(Common common, Map<String, Object> object, Path file) {
    try (NativeKeyFile key = NativeKeyFile.open(file);
        Workers workers = Workers.of(Runtime.getRuntime().availableProcessors());
        ProgressLines progress = ProgressLines.on(common.err())) {
      key.check(PointEncoding.Check.SUBGROUP, workers, progress::advanced);
      Optional<Path> source = key.source();
      if (source.isPresent()) {
        key.requireMadeFrom(source.get(), workers, progress::advanced);
      }
      describe(object, key.vk());
      object.put("source_digest", key.sourceDigest());
      object.put("compared_with", source.map(Path::toString).orElse(null));
      object.put(
          "points_checked", key.sections().stream().mapToLong(NativeKeyFile.Section::count).sum());
      object.put("verdict", "good");
    }
  }

  private static boolean isKey(Path file) {
    return file.getFileName().toString().endsWith(".vk");
  }

  private static void describe(Map<String, Object> object, VerifyingKey vk) {
    object.put("inputs", vk.inputs());
    object.put("vk_digest", vk.digest());
  }

  private static void print(Common common, Map<String, Object> object) {
    common.object(object);
    object.forEach(
        (name, value) -> {
          if (value instanceof List<?> list) {
            common.say(name + ":");
            list.forEach(each -> common.say("  " + each));
          } else {
            common.say(name + ": " + value);
          }
        });
  }
}
