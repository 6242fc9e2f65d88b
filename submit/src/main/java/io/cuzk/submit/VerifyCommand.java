package io.cuzk.submit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.groth16.InputVector;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProofContainer;
import io.cuzk.groth16.Verifier;
import io.cuzk.groth16.VerifyingKey;
import io.cuzk.jobs.VerifyAction;
import io.cuzk.porep.Commit1Codec;
import io.cuzk.porep.Commit1File;
import io.cuzk.porep.PartitionInput;
import io.cuzk.porep.PublicInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cuzk verify}. */
@Command(
    name = "verify",
    description = {
      "Verifies proofs.",
      "A run's, from its Parquet files; those of a fil-blst container; or single ones.",
      "Exit code 4 if one does not verify; sectors that a run could not prove are only listed."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk verify --out run/ --params params/",
      "  cuzk verify --prf seal32_x10.prf",
      "  cuzk verify --vk key.vk --proof s-t01000-1.proof --inputs inputs.json",
      "  cuzk verify --c1 c1/s-t01000-1.json --vk key.vk --proof s-t01000-1.proof"
    })
final class VerifyCommand implements Callable<Integer> {
  private static final long SMALL = 1 << 24;

  @Spec private CommandSpec spec;
  @Mixin private Common common;
  @Mixin private SparkOptions spark;

  @Option(names = "--out", paramLabel = "D", description = "A run directory.")
  private String run;

  @Option(
      names = "--params",
      paramLabel = "D",
      description = "With --out: where the .vk files are.")
  private String parameters;

  @Option(names = "--prf", paramLabel = "FILE", description = "A container: key, proofs, inputs.")
  private Path container;

  @Option(names = "--vk", paramLabel = "FILE", description = "A verifying key.")
  private Path key;

  @Option(
      names = "--proof",
      paramLabel = "FILE|HEX",
      description = "192 bytes, or 192 a partition, one after another.")
  private String proof;

  @Option(
      names = "--inputs",
      paramLabel = "FILE",
      description = {
        "A JSON array of public inputs without the leading one (of several proofs: an array of",
        "arrays). \"0x…\" is a big-endian number, 64 bare hex digits are 32 bytes little-endian."
      })
  private Path inputs;

  @Option(
      names = "--c1",
      paramLabel = "FILE",
      description = "A C1 file, from which the public inputs are derived.")
  private Path c1;

  @Override
  public Integer call() {
    if (run != null && container == null && key == null && proof == null) {
      require(parameters != null, "--out needs --params");
      return verifyRun();
    }
    if (container != null && run == null && key == null && proof == null) {
      ProofContainer read = ProofContainer.read(container);
      return verdicts(Verifier.of(read.key()), read.proofs(), read.inputs());
    }
    require(
        key != null && proof != null && (inputs == null) != (c1 == null) && run == null,
        "one of these is needed: --out with --params; --prf; --vk with --proof and --inputs;"
            + " --c1 with --vk and --proof");
    Verifier verifier = Verifier.of(VerifyingKey.read(key));
    List<long[]> publics = inputs != null ? readInputs() : deriveInputs();
    List<Proof> proofs = readProofs();
    if (proofs.size() != publics.size()) {
      throw new InvalidInputException(
          proofs.size() + " proofs were given, and the inputs of " + publics.size());
    }
    return verdicts(verifier, proofs, publics);
  }

  private void require(boolean condition, String message) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  private List<long[]> deriveInputs() {
    Commit1File file = Commit1Codec.read(c1);
    List<long[]> all = new ArrayList<>();
    for (int k = 0; k < file.output().shape().partitions(); k++) {
      all.add(PublicInputs.of(PartitionInput.of(file.output(), k)));
    }
    return all;
  }

  private List<long[]> readInputs() {
    JsonNode json;
    try {
      json = new ObjectMapper().readTree(bytes(inputs));
    } catch (JsonProcessingException e) {
      throw new InvalidInputException(inputs + " is not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + inputs + ": " + e, e);
    }
    if (json == null || !json.isArray()) {
      throw new InvalidInputException(inputs + ": a JSON array is expected");
    }
    List<long[]> all = new ArrayList<>();
    if (!json.isEmpty() && json.get(0).isArray()) {
      json.forEach(list -> all.add(vector(list)));
    } else {
      all.add(vector(json));
    }
    return all;
  }

  private long[] vector(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(
        each -> {
          if (!each.isTextual()) {
            throw new InvalidInputException(
                inputs + ": an input is a text (\"0x…\" or 64 hex digits), found " + each);
          }
          texts.add(each.asText());
        });
    return InputVector.parse(texts);
  }

  private List<Proof> readProofs() {
    byte[] all;
    boolean hex = proof.matches("(?:[0-9a-fA-F]{2})+") && !Files.exists(Path.of(proof));
    if (hex) {
      all = HexFormat.of().parseHex(proof);
    } else {
      all = bytes(Path.of(proof));
    }
    if (all.length == 0 || all.length % Proof.BYTES != 0) {
      throw new InvalidInputException(
          "%s has %d bytes, expected %d a partition"
              .formatted(hex ? "the proof" : proof, all.length, Proof.BYTES));
    }
    List<Proof> proofs = new ArrayList<>();
    for (int at = 0; at < all.length; at += Proof.BYTES) {
      proofs.add(Proof.decode(Arrays.copyOfRange(all, at, at + Proof.BYTES)));
    }
    return proofs;
  }

  private static byte[] bytes(Path file) {
    try {
      if (Files.size(file) > SMALL) {
        throw new InvalidInputException(
            file + " has " + Files.size(file) + " bytes, expected at most " + SMALL);
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new InvalidInputException(file + " does not exist", e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + file + ": " + e, e);
    }
  }

  private int verdicts(Verifier verifier, List<Proof> proofs, List<long[]> publics) {
    List<Map<String, Object>> list = new ArrayList<>();
    int good = 0;
    for (int i = 0; i < proofs.size(); i++) {
      boolean verified = verifier.verify(proofs.get(i), publics.get(i));
      good += verified ? 1 : 0;
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("proof", i);
      entry.put("verified", verified);
      list.add(entry);
      common.say("proof " + i + ": " + (verified ? "verified" : "DOES NOT VERIFY"));
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("verified", good);
    object.put("failed", proofs.size() - good);
    object.put("proofs", list);
    common.object(object);
    if (good < proofs.size()) {
      common.note(
          "cuzk: " + (proofs.size() - good) + " of " + proofs.size() + " proofs do not verify");
      return ExitCode.PROOF_FAILED;
    }
    return ExitCode.GOOD;
  }

  private int verifyRun() {
    VerifyAction.Result result =
        spark.inSession(
            "cuzk verify",
            Map.of(),
            session -> VerifyAction.on(session).run(run).parameters(parameters).build().execute());
    show(common, result);
    if (result.rejected() > 0) {
      common.note("cuzk: " + result.rejected() + " sectors have proofs that do not verify");
      return ExitCode.PROOF_FAILED;
    }
    return ExitCode.GOOD;
  }

  /** The table and the object of a verified run. */
  private static void show(Common common, VerifyAction.Result result) {
    List<Map<String, Object>> sectors = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (VerifyAction.SectorVerdict verdict : result.sectors()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("sector", verdict.sector());
      entry.put("state", verdict.state());
      entry.put("partitions", verdict.partitions());
      entry.put("partitions_verified", verdict.partitionsVerified());
      entry.put("reason", verdict.reason());
      sectors.add(entry);
      rows.add(
          List.of(
              verdict.sector(),
              verdict.state(),
              verdict.partitionsVerified() + "/" + verdict.partitions(),
              verdict.reason() == null ? "" : verdict.reason()));
    }
    common.table(List.of("sector", "state", "proofs", "reason"), rows);
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("verified", result.verified());
    object.put("rejected", result.rejected());
    object.put("failed", result.failed());
    object.put("proofs", result.proofs());
    object.put("sectors", sectors);
    common.object(object);
  }
}
