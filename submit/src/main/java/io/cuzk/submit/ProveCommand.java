package io.cuzk.submit;

import io.cuzk.jobs.CuzkConf;
import io.cuzk.jobs.KeyFiles;
import io.cuzk.jobs.ProveAction;
import io.cuzk.jobs.SectorRecord;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cuzk prove}. */
@Command(
    name = "prove",
    description = {
      "Proves the sectors of C1 files.",
      "Checks each file, proves and verifies every partition in a Spark task, and leaves proofs,",
      "timings and outcomes under --out. A bad file fails its own sector only. Run again with the",
      "same --out, it proves what is missing."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk prove --c1 c1/ --params params/ --out run/",
      "  cuzk prove --c1 'hdfs://nn/c1/*.json' --params /data/params --out hdfs://nn/run --miner"
          + " 1000",
      "  cuzk prove --c1 c1.json --params params/ --out run/ --miner f01000 --sector 42 --json",
      "",
      "Exit codes: 0 all sectors verified, 3 a C1 file or the parameters are bad, 4 a proof"
          + " failed,",
      "5 infrastructure. Of several failures the highest code counts."
    })
final class ProveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private Common common;
  @Mixin private SparkOptions spark;

  @Option(
      names = "--c1",
      required = true,
      arity = "1..*",
      paramLabel = "PATH",
      description = "C1 files, directories or globs, on any Hadoop file system.")
  private List<String> inputs;

  @Option(
      names = "--params",
      paramLabel = "D",
      defaultValue = "${env:FIL_PROOFS_PARAMETER_CACHE:-}",
      description = {
        "Directory of parameter files, as every executor sees it; or one on a Hadoop file system"
            + " (hdfs://...), which every host fetches once.",
        "Default: the environment's FIL_PROOFS_PARAMETER_CACHE."
      })
  private String parameters;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "D",
      description = "Run directory: new, empty, or an earlier run's.")
  private String output;

  @Option(
      names = "--miner",
      paramLabel = "M",
      converter = MinerId.class,
      description = "Check that every replica_id is this miner's; names the outputs s-t0M-N.")
  private Long miner;

  @Option(
      names = "--sector",
      paramLabel = "N",
      converter = SectorNumber.class,
      description = "Check that the one C1 file is of this sector.")
  private Long sector;

  @Option(
      names = "--backend",
      paramLabel = "B",
      description = "auto (default), cpu or cuda; a named one that is not there is an error.")
  private String backend;

  @Option(names = "--synthesis", paramLabel = "S", description = "compiled (default) or reference.")
  private String synthesis;

  @Option(
      names = "--test-randomness",
      paramLabel = "R,S",
      description = "For tests: r and s, 32 bytes little-endian hex each. Breaks zero knowledge.")
  private String randomness;

  @Override
  public Integer call() {
    if (parameters == null || parameters.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "Missing required option: '--params=D' (or set FIL_PROOFS_PARAMETER_CACHE)");
    }
    byte[][] fixed = randomness();
    if (fixed != null) {
      common.note(
          "cuzk: WARNING: --test-randomness: r and s are known, so these proofs give their witness"
              + " away. For tests only.");
    }
    ProveAction.Result result =
        spark.proving("cuzk prove", settings(), session -> prove(session, fixed));
    show(common, result);
    return code(common, result);
  }

  private ProveAction.Result prove(SparkSession session, byte[][] fixed) {
    try (ProgressLines progress = ProgressLines.on(common.err())) {
      ProveAction.Builder action =
          ProveAction.on(session)
              .inputs(inputs)
              .parameters(KeyFiles.place(parameters))
              .output(output)
              .miner(miner)
              .sector(sector)
              .commandLine(common.words())
              .progress(progress);
      if (fixed != null) {
        action.testRandomness(fixed[0], fixed[1]);
      }
      return action.build().execute();
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    if (backend != null) {
      settings.put(CuzkConf.BACKEND.name(), backend);
    }
    if (synthesis != null) {
      settings.put(CuzkConf.SYNTHESIS.name(), synthesis);
    }
    try {
      CuzkConf.of(settings);
    } catch (io.cuzk.InvalidInputException e) {
      String option =
          backend == null || e.getMessage().contains("synthesis") ? "--synthesis" : "--backend";
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
    return settings;
  }

  private byte[][] randomness() {
    if (randomness == null) {
      return null;
    }
    String[] pair = randomness.split(",", -1);
    if (pair.length != 2
        || !pair[0].matches("[0-9a-fA-F]{64}")
        || !pair[1].matches("[0-9a-fA-F]{64}")) {
      throw new ParameterException(
          spec.commandLine(), "--test-randomness: R,S of 64 hex digits each is expected");
    }
    return new byte[][] {HexFormat.of().parseHex(pair[0]), HexFormat.of().parseHex(pair[1])};
  }

  /** The table and the object of a run. */
  static void show(Common common, ProveAction.Result result) {
    List<List<String>> rows = new ArrayList<>();
    for (SectorRecord sector : result.sectors()) {
      rows.add(
          List.of(
              sector.sector(),
              sector.registeredProof() == null ? "" : sector.registeredProof(),
              sector.state(),
              sector.partitionsVerified() + "/" + sector.partitions(),
              String.format(Locale.ROOT, "%.1f", sector.provingNs() * 1e-9),
              sector.reason() == null ? sector.proofFile() : sector.reason()));
    }
    common.table(
        List.of("sector", "proof type", "state", "proofs", "task s", "file or reason"), rows);
    if (!result.replicaIdsChecked()) {
      common.say("replica_id was not checked for every sector (it needs --miner)");
    }
    common.say(
        String.format(
            Locale.ROOT,
            "%d of %d sectors verified (%d found done), %d partitions proved now on %s (%s) in %.1f"
                + " s; %s",
            result.verified(),
            result.sectors().size(),
            result.foundDone(),
            result.partitionsProved(),
            result.backend(),
            result.device(),
            result.wall().toMillis() / 1e3,
            result.output()));
    if (result.failed() > 0 || result.retried() > 0) {
      List<String> kinds = new ArrayList<>();
      result.failuresByKind().forEach((kind, count) -> kinds.add(kind + " " + count));
      common.say(
          "failed sectors by kind: %s; %d tries given to another device%s"
              .formatted(
                  String.join(", ", kinds),
                  result.retried(),
                  result.badDevices().isEmpty()
                      ? ""
                      : "; devices: " + String.join(", ", result.badDevices())));
    }
    common.object(object(result));
  }

  private static Map<String, Object> object(ProveAction.Result result) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("verified", result.verified());
    object.put("failed", result.failed());
    object.put("proved_now", result.provedNow());
    object.put("found_done", result.foundDone());
    Map<String, Object> partitions = new LinkedHashMap<>();
    partitions.put("planned", result.partitions());
    partitions.put("proved_now", result.partitionsProved());
    partitions.put("found_done", result.partitionsFoundDone());
    object.put("partitions", partitions);
    object.put("failures", result.failuresByKind());
    object.put("retried", result.retried());
    object.put("bad_devices", result.badDevices());
    object.put("backend", result.backend());
    object.put("device", result.device());
    object.put("replica_ids_checked", result.replicaIdsChecked());
    object.put("wall_s", result.wall().toMillis() / 1e3);
    object.put("run_id", result.runId());
    object.put("out", result.output());
    List<Map<String, Object>> sectors = new ArrayList<>();
    for (SectorRecord sector : result.sectors()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("sector", sector.sector());
      entry.put("input", sector.inputPath());
      entry.put("state", sector.state());
      entry.put("replica_id_checked", sector.replicaIdChecked());
      entry.put("proof_file", sector.proofFile());
      entry.put("failure_kind", sector.failureKind());
      entry.put("reason", sector.reason());
      sectors.add(entry);
    }
    object.put("sectors", sectors);
    return object;
  }

  /** The exit code of a run, after a line on stderr for each failed sector. */
  static int code(Common common, ProveAction.Result result) {
    int code = ExitCode.GOOD;
    for (ProveAction.Failure failure : result.failures()) {
      common.note("cuzk: " + failure.input() + ": " + failure.reason());
      code = Math.max(code, code(failure.kind()));
    }
    return code;
  }

  /** The exit code of a kind of failure. */
  static int code(String kind) {
    return switch (kind) {
      case "input" -> ExitCode.BAD_INPUT;
      case "proof" -> ExitCode.PROOF_FAILED;
      default -> ExitCode.INFRASTRUCTURE;
    };
  }
}
