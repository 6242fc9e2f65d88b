package io.cuzk.submit;

import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.jobs.KeyFiles;
import io.cuzk.jobs.ProveAction;
import io.cuzk.jobs.VerifyAction;
import io.cuzk.porep.SectorShape;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cuzk demo}. */
@Command(
    name = "demo",
    description = {
      "Shows the whole way on small sectors.",
      "Seals them, makes test parameters when there are none, proves through Spark, verifies from"
          + " the",
      "Parquet files, and says where everything lies."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  cuzk demo", "  cuzk demo --dir /tmp/demo --sectors 4", "  cuzk demo --json"})
final class DemoCommand implements Callable<Integer> {
  private static final long MINER = 1000;

  @Mixin private Common common;
  @Mixin private SparkOptions spark;

  @Option(
      names = "--dir",
      paramLabel = "D",
      defaultValue = "demo",
      description = "Where everything goes (default: ${DEFAULT-VALUE}).")
  private Path directory;

  @Option(
      names = "--sectors",
      paramLabel = "N",
      defaultValue = "2",
      converter = SectorCount.class,
      description = "How many (default: ${DEFAULT-VALUE}).")
  private int sectors;

  @Option(
      names = "--sector-size",
      paramLabel = "S",
      defaultValue = "2KiB",
      converter = Sizes.class,
      description = "Of what size (default: ${DEFAULT-VALUE}).")
  private SectorShape size;

  @Override
  public Integer call() {
    Sizes.requireRegistered(size, "demo");
    directory = directory.toAbsolutePath().normalize();
    Path c1 = directory.resolve("c1");
    Path params = directory.resolve("params");
    String time =
        LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT));
    Path run = directory.resolve("run-" + time);
    List<Path> files = SealCommand.seal(common, size, sectors, c1, MINER, 1, SealContent.RANDOM);
    boolean made = makeParameters(params);
    List<String> inputs = files.stream().map(Path::toString).toList();
    return spark.proving(
        "cuzk demo",
        Map.of(),
        session -> {
          ProveAction.Result proved = prove(session, inputs, params, run);
          VerifyAction.Result verified =
              VerifyAction.on(session)
                  .run(run.toString())
                  .parameters(params.toString())
                  .build()
                  .execute();
          return report(c1, params, run, made, proved, verified);
        });
  }

  private ProveAction.Result prove(
      SparkSession session, List<String> inputs, Path params, Path run) {
    try (ProgressLines progress = ProgressLines.on(common.err())) {
      return ProveAction.on(session)
          .inputs(inputs)
          .parameters(params.toString())
          .output(run.toString())
          .miner(MINER)
          .commandLine(common.words())
          .progress(progress)
          .build()
          .execute();
    }
  }

  private boolean makeParameters(Path params) {
    KeyFiles key = KeyFiles.of(params, size);
    if (key.present()) {
      common.note("cuzk: reusing the parameters in " + params);
      return false;
    }
    common.note(
        "cuzk: no parameters of "
            + size.name()
            + " in "
            + params
            + ": making TEST parameters. They are not Filecoin's: no chain takes these proofs.");
    ParameterGenerator.Result result = SetupCommand.make(common, size, key, null, 0);
    common.note("cuzk: made " + result.params());
    return true;
  }

  private int report(
      Path c1,
      Path params,
      Path run,
      boolean made,
      ProveAction.Result proved,
      VerifyAction.Result verified) {
    List<List<String>> rows = new ArrayList<>();
    List<Map<String, Object>> list = new ArrayList<>();
    for (VerifyAction.SectorVerdict verdict : verified.sectors()) {
      var record =
          proved.sectors().stream()
              .filter(sector -> sector.sector().equals(verdict.sector()))
              .findFirst();
      String seconds =
          String.format(Locale.ROOT, "%.1f", record.map(r -> r.provingNs() * 1e-9).orElse(0.0));
      rows.add(
          List.of(
              verdict.sector(),
              size.name(),
              record.map(r -> r.partitionsVerified() + "/" + r.partitions()).orElse(""),
              verdict.state(),
              seconds,
              verdict.reason() == null
                  ? record.map(r -> r.proofFile()).orElse("")
                  : verdict.reason()));
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("sector", verdict.sector());
      entry.put("state", verdict.state());
      entry.put("partitions", verdict.partitions());
      entry.put("partitions_verified", verdict.partitionsVerified());
      entry.put("proof_file", record.map(r -> r.proofFile()).orElse(null));
      list.add(entry);
    }
    common.table(List.of("sector", "size", "proved", "verified", "task s", "proof file"), rows);
    common.say("");
    common.say("C1 files     " + c1);
    common.say(
        "parameters   "
            + params
            + (made ? " (TEST parameters, made now)" : " (TEST parameters, reused)"));
    common.say("run          " + run + " (proofs/ phases/ sectors/ devices/ run.json)");
    common.say("backend      " + proved.backend() + ", " + proved.device());
    common.say("verify again cuzk verify --out " + run + " --params " + params);
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("verified", verified.verified());
    object.put("failed", verified.failed() + verified.rejected());
    object.put("sectors", list);
    object.put("c1", c1.toString());
    object.put("params", params.toString());
    object.put("params_made", made);
    object.put("run", run.toString());
    object.put("backend", proved.backend());
    object.put("wall_s", proved.wall().toMillis() / 1e3);
    common.object(object);
    int code = ProveCommand.code(common, proved);
    return verified.rejected() > 0 ? Math.max(code, ExitCode.PROOF_FAILED) : code;
  }
}
