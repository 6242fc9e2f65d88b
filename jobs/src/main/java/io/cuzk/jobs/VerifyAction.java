package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.InvalidInputException;
import io.cuzk.groth16.InputVector;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.Verifier;
import io.cuzk.groth16.VerifyingKey;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Verifies a run again, from its Parquet files and verifying keys alone: every proof under the
 * public inputs in its row, every sector's partitions for completeness, and every {@code .proof}
 * file for being those proofs.
 */
public final class VerifyAction {
  /** What became of one proof; {@code reason} is null if it verified. */
  public record Verdict(
      String sector, int partitionIndex, int partitions, byte[] proof, String reason) {
    /** Whether it verified. */
    public boolean verified() {
      return reason == null;
    }
  }

  /**
   * What became of one sector; {@code reason} is null if all its proofs verified.
   *
   * @param state {@code verified}, {@code rejected} (a proof does not verify), or {@code failed}
   *     (the run itself recorded that it was not proved)
   */
  public record SectorVerdict(
      String sector, String state, int partitions, int partitionsVerified, String reason) {}

  /** All verdicts, sectors in name order. */
  public record Result(
      int verified, int rejected, int failed, int proofs, List<SectorVerdict> sectors) {}

  private static final int LARGEST_KEY = 1 << 24;

  private final SparkSession spark;
  private final RunDirectory run;
  private final org.apache.hadoop.fs.Path parameters;

  private VerifyAction(Builder with) {
    this.spark = with.spark;
    this.run =
        new RunDirectory(
            with.run,
            JavaSparkContext.fromSparkContext(spark.sparkContext()).hadoopConfiguration());
    this.parameters =
        KeyFetch.isNeeded(with.parameters)
            ? run.files().qualify(with.parameters)
            : new org.apache.hadoop.fs.Path(
                RunFiles.local(with.parameters).toAbsolutePath().toUri());
  }

  /** A builder over a session. */
  public static Builder on(SparkSession spark) {
    return new Builder(spark);
  }

  /** Collects what to verify. */
  public static final class Builder {
    private final SparkSession spark;
    private String run;
    private String parameters;

    private Builder(SparkSession spark) {
      this.spark = Objects.requireNonNull(spark, "spark");
    }

    /** The run directory. */
    public Builder run(String directory) {
      run = directory;
      return this;
    }

    /** The directory of the {@code .vk} files, as the driver sees it, on any Hadoop file system. */
    public Builder parameters(String directory) {
      parameters = directory;
      return this;
    }

    /**
     * The action.
     *
     * @throws IllegalArgumentException if run or parameters are not set
     */
    public VerifyAction build() {
      if (run == null || parameters == null) {
        throw new IllegalArgumentException("run and parameters are needed");
      }
      return new VerifyAction(this);
    }
  }

  /**
   * Verifies.
   *
   * @throws InvalidInputException if there is no run, or a verifying key is missing or another one
   *     than the run was proved under
   * @throws io.cuzk.InfrastructureException if the run is at work and writes its datasets again and
   *     again meanwhile
   */
  public Result execute() {
    DatasetPlaces places = new DatasetPlaces(run);
    return places.readTogether(() -> verify(places));
  }

  private Result verify(DatasetPlaces places) {
    if (!run.isRun() || !run.files().exists(places.toRead(Datasets.PROOFS))) {
      throw new InvalidInputException(
          "no finished run in " + run.show() + " (it has no " + Datasets.PROOFS + "/)");
    }
    Dataset<Row> proofs = spark.read().parquet(places.toRead(Datasets.PROOFS).toString());
    Map<String, List<Verdict>> bySector = new HashMap<>();
    Broadcast<LinkedHashMap<String, byte[]>> keys =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(keys(proofs));
    for (Verdict verdict : proofs.javaRDD().map(new VerifyRow(keys)).collect()) {
      bySector.computeIfAbsent(verdict.sector(), s -> new ArrayList<>()).add(verdict);
    }
    keys.unpersist();
    List<SectorVerdict> verdicts = new ArrayList<>();
    Dataset<Row> sectors = spark.read().parquet(places.toRead(Datasets.SECTORS).toString());
    int counted = 0;
    for (Row row : sectors.collectAsList()) {
      SectorRecord sector = SectorRecord.TYPE.read(row);
      List<Verdict> of = bySector.getOrDefault(sector.sector(), List.of());
      counted += of.size();
      verdicts.add(verdict(sector, of));
    }
    verdicts.sort(Comparator.comparing(SectorVerdict::sector));
    return new Result(
        count(verdicts, SectorRecord.VERIFIED),
        count(verdicts, REJECTED),
        count(verdicts, SectorRecord.FAILED),
        counted,
        List.copyOf(verdicts));
  }

  private static final String REJECTED = "rejected";

  private static int count(List<SectorVerdict> verdicts, String state) {
    return (int) verdicts.stream().filter(v -> v.state().equals(state)).count();
  }

  private SectorVerdict verdict(SectorRecord sector, List<Verdict> proofs) {
    List<Verdict> ordered = new ArrayList<>(proofs);
    ordered.sort(Comparator.comparingInt(Verdict::partitionIndex));
    int good = (int) ordered.stream().filter(Verdict::verified).count();
    String reason =
        ordered.stream()
            .filter(v -> !v.verified())
            .map(v -> "partition " + v.partitionIndex() + ": " + v.reason())
            .findFirst()
            .orElse(null);
    String state = reason == null ? sector.state() : REJECTED;
    if (reason == null && state.equals(SectorRecord.PENDING)) {
      state = SectorRecord.FAILED;
      reason = "not proved yet: the run is at work, or was interrupted and can be run again";
    } else if (reason == null && state.equals(SectorRecord.FAILED)) {
      reason = sector.reason();
    } else if (reason == null) {
      reason = fault(sector, ordered);
      state = reason == null ? SectorRecord.VERIFIED : REJECTED;
    }
    return new SectorVerdict(sector.sector(), state, sector.partitions(), good, reason);
  }

  /** What is wrong with a sector whose proofs all verify; null if nothing. */
  private String fault(SectorRecord sector, List<Verdict> ordered) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (int k = 0; k < sector.partitions(); k++) {
      if (k >= ordered.size() || ordered.get(k).partitionIndex() != k) {
        return "proof of partition " + k + " is missing from " + Datasets.PROOFS + "/";
      }
      joined.writeBytes(ordered.get(k).proof());
    }
    if (ordered.size() != sector.partitions()) {
      return ordered.size() + " proofs for " + sector.partitions() + " partitions";
    }
    byte[] file = run.files().read(run.proofFile(sector.sector()), 1 << 20);
    if (file == null) {
      return sector.sector() + ".proof is missing";
    }
    return Arrays.equals(file, joined.toByteArray())
        ? null
        : sector.sector() + ".proof differs from the proofs in " + Datasets.PROOFS + "/";
  }

  /** The verifying keys that the proofs were made under, by name. */
  private LinkedHashMap<String, byte[]> keys(Dataset<Row> proofs) {
    LinkedHashMap<String, byte[]> keys = new LinkedHashMap<>();
    List<Row> named =
        proofs
            .select("key_name", "verifying_key_sha256")
            .distinct()
            .orderBy("key_name")
            .collectAsList();
    for (Row row : named) {
      org.apache.hadoop.fs.Path file =
          new org.apache.hadoop.fs.Path(parameters, row.getString(0) + ".vk");
      byte[] content = run.files().read(file, LARGEST_KEY);
      if (content == null) {
        throw new InvalidInputException("verifying key " + RunFiles.show(file) + " does not exist");
      }
      byte[] bytes = VerifyingKey.read(content, RunFiles.show(file)).toBytes();
      String found = Digests.sha256(bytes);
      if (!found.equals(row.getString(1))) {
        throw new InvalidInputException(
            "%s is another key than the run was proved under: expected SHA-256 %s, found %s"
                .formatted(RunFiles.show(file), row.getString(1), found));
      }
      keys.put(row.getString(0), bytes);
    }
    return keys;
  }

  private static final class VerifyRow implements Function<Row, Verdict> {
    private static final long serialVersionUID = 1L;
    private static final Map<String, Verifier> VERIFIERS = new ConcurrentHashMap<>();

    private final Broadcast<LinkedHashMap<String, byte[]>> keys;

    VerifyRow(Broadcast<LinkedHashMap<String, byte[]>> keys) {
      this.keys = keys;
    }

    @Override
    public Verdict call(Row row) {
      ProofRecord proof = ProofRecord.TYPE.read(row);
      String reason;
      try {
        Verifier verifier =
            VERIFIERS.computeIfAbsent(
                proof.verifyingKeySha256(),
                digest ->
                    Verifier.of(
                        VerifyingKey.read(keys.value().get(proof.keyName()), proof.keyName())));
        boolean good =
            verifier.verify(
                Proof.decode(proof.proof()),
                InputVector.ofLittleEndian(Digests.split(proof.publicInputs(), 32)));
        reason = good ? null : "the proof does not verify";
      } catch (CuzkException e) {
        reason = e.getMessage();
      }
      return new Verdict(
          proof.sector(), proof.partitionIndex(), proof.partitions(), proof.proof(), reason);
    }
  }
}
