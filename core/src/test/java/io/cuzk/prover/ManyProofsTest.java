package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.NativeKeyFile;
import io.cuzk.groth16.NativeKeyWriter;
import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.groth16.Progress;
import io.cuzk.groth16.ProvingKeyFile;
import io.cuzk.groth16.PublishedDigests;
import io.cuzk.groth16.Verifier;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.Commit1Codec;
import io.cuzk.porep.PartitionInput;
import io.cuzk.porep.PublicInputs;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.StackedCircuit;
import io.cuzk.porep.StackedCircuits;
import io.cuzk.testing.Golden;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many proofs of the 2 KiB circuit in one JVM, synthesis included: all verify, all differ, and what
 * is live after them is what was live when the JVM was warm. {@code -Dcuzk.test.proofs=N} for
 * another number than 200.
 */
@Tag("nightly")
class ManyProofsTest {
  private static final int PROOFS = Integer.getInteger("cuzk.test.proofs", 200);

  /** From this proof on nothing may stay behind. */
  private static final int WARM = Math.min(20, Math.max(1, PROOFS / 2));

  /** What the JVM itself may keep more, compiled code's tables for example; a proof has 160 MiB. */
  private static final long GROWTH = 16L << 20;

  private static final SectorShape SHAPE = SectorShape.of("2KiB");

  private static final Path DIRECTORY =
      Path.of(System.getProperty("cuzk.test.params", "target/test-params"));

  @Test
  void allVerifyAndMemoryStaysFlat() throws IOException {
    assertThat(PROOFS).as("cuzk.test.proofs").isGreaterThanOrEqualTo(2);
    PartitionInput input =
        PartitionInput.of(
            Commit1Codec.read(
                    new ByteArrayInputStream(Golden.bytes("c1-2KiB.json")),
                    "c1-2KiB.json",
                    Optional.empty())
                .output(),
            0);
    long[] expected = PublicInputs.of(input);
    try (Workers workers = Workers.of(Runtime.getRuntime().availableProcessors());
        ProvingKeyFile file = key(workers)) {
      Synthesis synthesis = CompiledSynthesis.of(StackedCircuits.load(DIRECTORY, SHAPE), workers);
      PartitionProver prover =
          PartitionProver.of(synthesis, CpuBackend.of(workers), file.provingKey(), workers);
      Verifier verifier = Verifier.of(file.provingKey().vk());
      Set<String> seen = new HashSet<>();
      long warm = 0;
      for (int i = 1; i <= PROOFS; i++) {
        ProvedPartition proved =
            prover.prove("proof " + i, input, Blinding.random(), prover.timer());
        assertThat(verifier.verify(proved.proof(), expected)).as("proof %d", i).isTrue();
        assertThat(seen.add(proved.proof().hex())).as("proof %d is a new one", i).isTrue();
        if (i == WARM) {
          warm = liveBytes();
        }
      }
      long last = liveBytes();
      System.out.printf(
          "live after proof %d: %d KiB, after proof %d: %d KiB%n",
          WARM, warm >> 10, PROOFS, last >> 10);
      assertThat(last - warm)
          .as("growth of the live heap from proof %d to proof %d", WARM, PROOFS)
          .isLessThan(GROWTH);
    }
  }

  /** The build's 2 KiB key in its native file, as proofs take it; whoever needs it makes it. */
  private static ProvingKeyFile key(Workers workers) throws IOException {
    Files.createDirectories(DIRECTORY);
    String stem = PublishedDigests.fileStem(2048).orElseThrow();
    Path params = DIRECTORY.resolve(stem + ".params");
    Path vk = DIRECTORY.resolve(stem + ".vk");
    if (!Files.exists(params) || !Files.exists(vk)) {
      ParameterGenerator.generate(StackedCircuit.blank(SHAPE), params, vk, workers, Progress.NONE);
    }
    if (!Files.exists(NativeKeyFile.beside(params))) {
      NativeKeyWriter.convert(params, workers, Progress.NONE);
    }
    return ProvingKeyFile.openTrusted(params, vk);
  }

  /** The used heap when nothing more can be collected. */
  private static long liveBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
