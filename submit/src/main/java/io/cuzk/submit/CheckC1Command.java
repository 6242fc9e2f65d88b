package io.cuzk.submit;

import io.cuzk.CuzkException;
import io.cuzk.jobs.SectorInput;
import io.cuzk.porep.Commit1Codec;
import io.cuzk.porep.Commit1File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk check-c1}. */
@Command(
    name = "check-c1",
    description = {
      "Checks C1 files without proving.",
      "JSON, wrapped JSON or bincode: every path, parent, label and commitment, and with --miner"
          + " that",
      "replica_id is of that miner and the file's sector."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  cuzk check-c1 c1/*.json", "  cuzk check-c1 c1.json --miner 1000 --sector 42"})
final class CheckC1Command implements Callable<Integer> {
  @Mixin private Common common;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "C1 files.")
  private List<Path> files;

  @Option(
      names = "--miner",
      paramLabel = "M",
      converter = MinerId.class,
      description = "Miner id: 1000 or f01000.")
  private Long miner;

  @Option(
      names = "--sector",
      paramLabel = "N",
      converter = SectorNumber.class,
      description = "Sector number.")
  private Long sector;

  @Override
  public Integer call() {
    List<Map<String, Object>> verdicts = new ArrayList<>();
    int code = ExitCode.GOOD;
    int bad = 0;
    for (Path file : files) {
      Map<String, Object> verdict = new LinkedHashMap<>();
      verdict.put("file", file.toString());
      try {
        Commit1File read = Commit1Codec.read(file);
        SectorInput.Checked checked = SectorInput.check(read, miner, sector);
        verdict.put("verdict", "good");
        verdict.put("form", read.form().name().toLowerCase(Locale.ROOT));
        verdict.put("registered_proof", read.output().proof().name());
        verdict.put("sector_size", read.output().shape().name());
        verdict.put("partitions", read.output().shape().partitions());
        verdict.put("miner", checked.minerId());
        verdict.put("sector", checked.sectorNumber());
        verdict.put("replica_id_checked", checked.replicaIdChecked());
        verdict.put("sparse", read.sparse());
        common.say(
            "%s: good (%s, %s%s%s)"
                .formatted(
                    file,
                    read.output().proof().name(),
                    verdict.get("form"),
                    read.sparse() ? ", sparse: never sealed" : "",
                    checked.replicaIdChecked()
                        ? ", replica_id is of miner %s sector %s"
                            .formatted(checked.minerId(), checked.sectorNumber())
                        : ", replica_id not checked: needs --miner and a sector number"));
      } catch (CuzkException e) {
        bad++;
        code = Math.max(code, e.exitCode());
        String reason = e.getMessage().replace("\n", " ");
        verdict.put("verdict", "bad");
        verdict.put("reason", reason);
        String prefix = file + ": ";
        common.say(
            file
                + ": BAD: "
                + (reason.startsWith(prefix) ? reason.substring(prefix.length()) : reason));
      }
      verdicts.add(verdict);
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("good", files.size() - bad);
    object.put("bad", bad);
    object.put("files", verdicts);
    common.object(object);
    if (bad > 0) {
      common.note("cuzk: " + bad + " of " + files.size() + " C1 files are bad");
    }
    return code;
  }
}
