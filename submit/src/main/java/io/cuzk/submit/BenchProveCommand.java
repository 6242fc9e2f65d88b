package io.cuzk.submit;

import io.cuzk.InvalidInputException;
import io.cuzk.bench.Blst;
import io.cuzk.bench.DeviceBench;
import io.cuzk.bench.FieldBench;
import io.cuzk.bench.ProofBench;
import io.cuzk.bench.ProofCheck;
import io.cuzk.bench.SyntheticKey;
import io.cuzk.circuit.Assignment;
import io.cuzk.field.Arithmetic;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.ProvingKeyFile;
import io.cuzk.jobs.KeyFiles;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.Commit1Codec;
import io.cuzk.porep.Commit1Output;
import io.cuzk.porep.PartitionInput;
import io.cuzk.porep.PublicInputs;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.StackedCircuit;
import io.cuzk.porep.StackedCircuits;
import io.cuzk.prover.CompiledSynthesis;
import io.cuzk.prover.CpuBackend;
import io.cuzk.prover.DeviceMeter;
import io.cuzk.prover.KeyShape;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProofVariant;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import io.cuzk.prover.ReferenceSynthesis;
import io.cuzk.prover.Synthesis;
import io.cuzk.r1cs.ConstraintMatrices;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cuzk bench prove}. */
@Command(
    name = "prove",
    description = {
      "Measures proofs of one partition without its synthesis.",
      "The partition is synthesised once beforehand; every proof is verified, outside the measured",
      "part. The key is read from the native file where there is one. Without --params and --c1,",
      "TEST parameters and a sector are made once and kept in the build's cache directory.",
      "--synthetic-key takes no parameters: the key repeats a few points with known multiples, so"
          + " that",
      "any size can be proved, and every proof is compared with the one that sums over scalars"
          + " give;",
      "a wrong sum ends with code 4. --against-blst adds a row fp_mul, to scale by. --variants"
          + " prove the same assignment in other",
      "ways with the same r and s; all must make the same bytes."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk bench prove --sector-size 32GiB --synthetic-key --backend cuda --iterations 1",
      "  cuzk bench prove --sector-size 2KiB",
      "  cuzk bench prove --c1 c1.json --params params/ --threads 2 --against-blst ~/blst --json"
    })
final class BenchProveCommand implements Callable<Integer> {
  /** The domain of the smallest sector's circuit is larger. */
  private static final long LEAST_DOMAIN = 1 << 17;

  /** log2 of the arrays of the row fp_mul. */
  private static final int PRODUCTS = 10;

  @Mixin private Common common;
  @Mixin private BenchOptions options;

  @Option(
      names = "--sector-size",
      paramLabel = "S",
      converter = Sizes.class,
      description = "Of the sector that is made where there is no --c1 (default: 2KiB).")
  private SectorShape size;

  @Option(
      names = "--params",
      paramLabel = "D",
      description = "Directory of parameter files (default: made in the cache).")
  private Path parameters;

  @Option(
      names = "--synthetic-key",
      description = "Prove with points made while they are read, in the numbers of a real key.")
  private boolean syntheticKey;

  @Option(
      names = "--c1",
      paramLabel = "FILE",
      description = "A C1 file (default: sealed in the cache).")
  private Path c1;

  @Option(
      names = "--partition",
      paramLabel = "K",
      defaultValue = "0",
      description = "Which partition (default: ${DEFAULT-VALUE}).")
  private int partition;

  @Option(
      names = "--synthesis",
      paramLabel = "S",
      defaultValue = CompiledSynthesis.NAME,
      description = "Whose assignment is proved: compiled (default) or reference.")
  private String synthesis;

  @Option(
      names = "--variants",
      split = ",",
      paramLabel = "V",
      defaultValue = "standard",
      converter = Variant.class,
      description = {
        "standard, parallel-b-g2, one-window, c-product, c-matrix (cpu), pinned-host,",
        "unpinned-host (cuda; standard pins a ring), in turn in one run; the first is what the"
            + " others are compared with (default: ${DEFAULT-VALUE})."
      })
  private List<ProofVariant> variants;

  /** A name from the list. */
  static final class Variant implements ITypeConverter<ProofVariant> {
    @Override
    public ProofVariant convert(String label) {
      return ProofVariant.find(label)
          .orElseThrow(() -> VariantNames.unknown(label, ProofVariant.labels()));
    }
  }

  /** A key, and what proofs made with it are held against. */
  private record Subject(ProvingKey key, ProofCheck check) {}

  /** Finds the key of an assignment that was synthesised. */
  private interface Keys {
    Subject of(Assignment assignment, Workers workers);
  }

  @Override
  public Integer call() {
    options.threads();
    options.require(
        !syntheticKey || parameters == null, "--synthetic-key takes the place of --params");
    options.require(
        synthesis.equals(CompiledSynthesis.NAME) || synthesis.equals(ReferenceSynthesis.NAME),
        "--synthesis: compiled or reference expected, found " + synthesis);
    // Before a sector is sealed and a gigabyte read: is there such a backend?
    ProverBackendProvider provider = ProverBackends.choose(options.backend());
    ProverBackends.requireInReach(provider, "the smallest sector's partition", LEAST_DOMAIN);
    requireArithmetic();
    BenchReport report = new BenchReport(common);
    Path file = c1 != null ? c1 : sector();
    Commit1Output output = Commit1Codec.read(file).output();
    SectorShape shape = output.shape();
    if (size != null && !size.equals(shape)) {
      throw new InvalidInputException(
          "%s is of %s, not of %s".formatted(file, shape.name(), size.name()));
    }
    options.require(
        partition >= 0 && partition < shape.partitions(),
        "--partition: %s has 0 to %d, found %d"
            .formatted(shape.name(), shape.partitions() - 1, partition));
    PartitionInput input = PartitionInput.of(output, partition);
    try (ProgressLines progress = ProgressLines.on(common.err());
        Blst blst = options.openBlst()) {
      measureDevice(provider, report);
      if (blst != null) {
        report.add(
            FieldBench.run(
                FieldBench.Field.FP,
                Arithmetic.current(),
                PRODUCTS,
                1,
                options.plan(progress),
                blst));
      }
      if (syntheticKey) {
        Keys keys = (assignment, workers) -> synthetic(shape, assignment, workers, progress);
        Path circuits = BenchKeys.circuits();
        for (int threads : options.threads()) {
          prove(keys, circuits, input, threads, progress, report);
        }
      } else {
        proveWithParameters(shape, input, progress, report);
      }
    }
    report.memory();
    report.show(options.iterations());
    return ExitCode.GOOD;
  }

  private void proveWithParameters(
      SectorShape shape, PartitionInput input, ProgressLines progress, BenchReport report) {
    KeyFiles files =
        parameters == null ? BenchKeys.parameters(common, shape) : KeyFiles.of(parameters, shape);
    try (ProvingKeyFile opened = ProvingKeyFile.openTrusted(files.params(), files.vk())) {
      progress.note("proving key: " + opened.path());
      ProvingKey key = opened.provingKey();
      ProofCheck check = ProofCheck.verifying(key.vk(), PublicInputs.of(input));
      Path circuits = files.params().toAbsolutePath().getParent();
      for (int threads : options.threads()) {
        prove((of, workers) -> new Subject(key, check), circuits, input, threads, progress, report);
      }
    }
  }

  private static Subject synthetic(
      SectorShape shape, Assignment assignment, Workers workers, ProgressLines progress) {
    progress.note("what every sum must be, from the scalars");
    SyntheticKey made = SyntheticKey.of(shape.name(), assignment, workers);
    return new Subject(made.key(), made);
  }

  /** What the device, if there is one, does at most. */
  private void measureDevice(ProverBackendProvider provider, BenchReport report) {
    provider
        .meter(0)
        .ifPresent(
            opened -> {
              try (DeviceMeter meter = opened) {
                report.limits(DeviceBench.on(meter, options.backend()).limits());
              }
            });
  }

  private Path sector() {
    SectorShape wanted = size == null ? SectorShape.of("2KiB") : size;
    Sizes.requireRegistered(wanted, "bench prove");
    return BenchKeys.sector(common, wanted);
  }

  private void prove(
      Keys keys,
      Path circuits,
      PartitionInput input,
      int threads,
      ProgressLines progress,
      BenchReport report) {
    Map<ProofVariant, ProverBackend> backends = new LinkedHashMap<>();
    try (Workers workers = Workers.of(threads)) {
      try {
        for (ProofVariant variant : variants) {
          Optional<String> why = variant.inapplicable(options.backend(), threads);
          if (why.isPresent()) {
            report.notApplicable(variant.label(), threads, why.get());
          } else {
            backends.computeIfAbsent(variant, v -> open(v, input.shape(), workers, progress));
          }
        }
        if (!backends.isEmpty()) {
          progress.note("synthesis, which is not measured");
          Assignment assignment =
              synthesis(circuits, input.shape(), workers)
                  .synthesize(StackedCircuit.of(input), PhaseTimer.of(workers));
          Subject subject = keys.of(assignment, workers);
          KeyShape.requireFits("partition " + partition, assignment, subject.key());
          report.compare(
              ProofBench.run(
                  input.shape().name(),
                  workers,
                  backends,
                  subject.key(),
                  assignment,
                  subject.check(),
                  options.plan(progress)));
        }
      } finally {
        backends.values().forEach(ProverBackend::close);
      }
    }
  }

  private ProverBackend open(
      ProofVariant variant, SectorShape shape, Workers workers, ProgressLines progress) {
    if (variant == ProofVariant.STANDARD || options.isDevice()) {
      return ProverBackends.choose(options.backend()).pinning(variant.pinning()).open(0, workers);
    }
    ConstraintMatrices matrices = null;
    if (variant == ProofVariant.C_MATRIX) {
      progress.note("recording the circuit's matrices");
      matrices = ConstraintMatrices.of(StackedCircuit.blank(shape));
    }
    return CpuBackend.of(workers, variant, matrices);
  }

  /** As {@code prove} takes it: the compiled circuit lies beside the parameters. */
  private Synthesis synthesis(Path circuits, SectorShape shape, Workers workers) {
    return synthesis.equals(ReferenceSynthesis.NAME)
        ? Synthesis.REFERENCE
        : CompiledSynthesis.of(StackedCircuits.load(circuits, shape), workers);
  }

  /** The CPU backend takes the JVM's arithmetic, which is chosen once. */
  private void requireArithmetic() {
    List<String> names = options.providerNames();
    if (names.isEmpty()) {
      return;
    }
    options.require(names.size() == 1, "--provider: a JVM proves with one of them: name one");
    if (System.getProperty(Arithmetic.PROPERTY) == null) {
      System.setProperty(Arithmetic.PROPERTY, names.getFirst());
    }
    if (!Arithmetic.current().name().equals(names.getFirst())) {
      throw new InvalidInputException(
          "--provider %s: this JVM's arithmetic is %s already (-D%s)"
              .formatted(names.getFirst(), Arithmetic.current().name(), Arithmetic.PROPERTY));
    }
  }
}
