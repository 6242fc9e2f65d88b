package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.ProofFailedException;
import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fr;
import io.cuzk.field.FrVector;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.Toy;
import io.cuzk.groth16.Verifier;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuBackendTest {
  @TempDir Path directory;
  private final Workers workers = Workers.of(2);
  private ParameterFile file;
  private ProvingKey key;

  @BeforeEach
  void open() throws IOException {
    file = ParameterFile.open(Toy.params(directory));
    key = file.provingKey();
  }

  @AfterEach
  void close() {
    file.close();
    workers.close();
  }

  private static Blinding goldenBlinding() {
    return Blinding.forTests(Toy.JSON.get("r").asText(), Toy.JSON.get("s").asText());
  }

  @Test
  void quotientIsTheGoldenOne() {
    FrVector h = CpuBackend.of(workers).quotient(ProvingAssignment.of(Toy.circuit()));
    h.arithmetic().transform(10).toNaturalOrder(h, workers);
    long[] expected = Toy.scalars(Toy.JSON.get("h"));
    long[] found = new long[expected.length];
    h.store(0, found, 0, expected.length / Fr.WORDS);
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void allEightSumsAreTheGoldenOnes() {
    Assignment assignment = ProvingAssignment.of(Toy.circuit());
    CpuBackend.PartialSums sums =
        CpuBackend.of(workers).sums(key, assignment, PhaseTimer.of(workers));
    requireSums(sums, Toy.JSON.get("msm"));
  }

  static void requireSums(CpuBackend.PartialSums sums, JsonNode msm) {
    assertThat(compressed(Group.G1, sums.h())).as("h").isEqualTo(msm.get("h").asText());
    assertThat(compressed(Group.G1, sums.l())).as("l").isEqualTo(msm.get("l").asText());
    assertThat(compressed(Group.G1, sums.aInputs())).isEqualTo(msm.get("a_inputs").asText());
    assertThat(compressed(Group.G1, sums.aAux())).isEqualTo(msm.get("a_aux").asText());
    assertThat(compressed(Group.G1, sums.b1Inputs())).isEqualTo(msm.get("b_g1_inputs").asText());
    assertThat(compressed(Group.G1, sums.b1Aux())).isEqualTo(msm.get("b_g1_aux").asText());
    assertThat(compressed(Group.G2, sums.b2Inputs())).isEqualTo(msm.get("b_g2_inputs").asText());
    assertThat(compressed(Group.G2, sums.b2Aux())).isEqualTo(msm.get("b_g2_aux").asText());
  }

  private static String compressed(Group group, long[] jacobian) {
    long[] affine = new long[group.affineWords()];
    group.toAffine(affine, 0, jacobian, 0);
    byte[] out = new byte[PointEncoding.compressedBytes(group)];
    PointEncoding.encodeCompressed(group, out, 0, affine, 0);
    return HexFormat.of().formatHex(out);
  }

  @Test
  void theProofIsTheGoldenOneAndItsPhasesAreAllThere() {
    PartitionProver prover =
        PartitionProver.of(Synthesis.REFERENCE, CpuBackend.of(workers), key, workers);
    ProvedPartition proved =
        prover.prove("toy", Toy.circuit(), Toy.inputs(), goldenBlinding(), prover.timer());
    assertThat(proved.proof().hex()).isEqualTo(Toy.JSON.get("proof_hex_192").asText());
    assertThat(proved.backend()).isEqualTo("cpu");
    assertThat(proved.device()).isEqualTo("cpu, 2 threads, " + Arithmetic.current().name());
    assertThat(proved.phases().stream().map(Phase::name))
        .containsExactly(
            "synthesis.witness",
            "synthesis.evaluate",
            "quotient",
            "msm.h",
            "msm.l",
            "msm.a",
            "msm.b1",
            "msm.b2",
            "assemble",
            "verify");
    assertThat(proved.phases()).allSatisfy(phase -> assertThat(phase.wallNanos()).isPositive());
  }

  @Test
  void freshBlindingMakesOtherProofsThatVerify() {
    PartitionProver prover =
        PartitionProver.of(Synthesis.REFERENCE, CpuBackend.of(workers), key, workers);
    Proof one =
        prover.prove("toy", Toy.circuit(), Toy.inputs(), Blinding.random(), prover.timer()).proof();
    Proof two =
        prover.prove("toy", Toy.circuit(), Toy.inputs(), Blinding.random(), prover.timer()).proof();
    assertThat(one).isNotEqualTo(two);
    Verifier verifier = Verifier.of(key.vk());
    assertThat(verifier.verifyAll(List.of(one, two), List.of(Toy.inputs(), Toy.inputs()))).isTrue();
  }

  /** The toy circuit with one auxiliary value changed, so that rows are not satisfied. */
  private static Circuit unsatisfied(int which) {
    return cs ->
        Toy.circuit()
            .synthesize(
                new Wrapped(cs) {
                  private int next;

                  @Override
                  public int alloc(long[] value, int at) {
                    long[] changed = Arrays.copyOfRange(value, at, at + Fr.WORDS);
                    if (next++ == which) {
                      Fr.dbl(changed, 0, changed, 0);
                      changed[0] ^= 1;
                    }
                    return super.alloc(changed, 0);
                  }
                });
  }

  @Test
  void aProofOfAnUnsatisfiedAssignmentIsNotReturned() {
    PartitionProver prover =
        PartitionProver.of(Synthesis.REFERENCE, CpuBackend.of(workers), key, workers);
    for (int which : new int[] {0, 1, 300, 567}) {
      assertThatThrownBy(
              () ->
                  prover.prove(
                      "s-t01000-7 partition 3",
                      unsatisfied(which),
                      Toy.inputs(),
                      Blinding.random(),
                      prover.timer()))
          .isInstanceOf(ProofFailedException.class)
          .hasMessageContaining("s-t01000-7 partition 3")
          .hasMessageContaining("cpu, 2 threads");
    }
  }

  @Test
  void aBackendThatComputesWronglyIsFoundAndNamed() {
    ProverBackend bad =
        new ProverBackend() {
          @Override
          public String name() {
            return "cuda";
          }

          @Override
          public String device() {
            return "card 5";
          }

          @Override
          public Proof prove(ProvingKey k, Assignment a, Blinding b, PhaseTimer t) {
            AffinePoints reversed = new Reversed(k.l());
            return CpuBackend.of(workers)
                .prove(
                    new ProvingKey(
                        k.name(), k.digest(), k.vk(), k.h(), reversed, k.a(), k.bG1(), k.bG2()),
                    a,
                    b,
                    t);
          }
        };
    PartitionProver prover = PartitionProver.of(Synthesis.REFERENCE, bad, key, workers);
    assertThatThrownBy(
            () ->
                prover.prove("p 3", Toy.circuit(), Toy.inputs(), Blinding.random(), prover.timer()))
        .isInstanceOf(ProofFailedException.class)
        .hasMessageContaining("p 3 made by backend cuda on device card 5 does not verify");
  }

  @Test
  void aKeyOfAnotherCircuitIsRefusedBeforeProving() {
    PartitionProver prover =
        PartitionProver.of(Synthesis.REFERENCE, CpuBackend.of(workers), key, workers);
    Circuit larger =
        cs -> {
          Toy.circuit().synthesize(cs);
          cs.allocBit(true);
        };
    assertThatThrownBy(
            () -> prover.prove("p", larger, Toy.inputs(), Blinding.random(), prover.timer()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("toy.params")
        .hasMessageContaining("auxiliary variables (query l): the circuit has 569, they have 568");
  }

  @Test
  void otherPublicInputsThanExpectedAreRefused() {
    PartitionProver prover =
        PartitionProver.of(Synthesis.REFERENCE, CpuBackend.of(workers), key, workers);
    long[] changed = Toy.inputs();
    Fr.dbl(changed, Fr.WORDS, changed, Fr.WORDS);
    assertThatThrownBy(
            () -> prover.prove("p", Toy.circuit(), changed, Blinding.random(), prover.timer()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("p: public input 1 is");
  }

  @Test
  void backendsAreFoundByNameAndNeverReplaced() {
    assertThat(ProverBackends.choose("cpu").name()).isEqualTo("cpu");
    assertThatThrownBy(() -> ProverBackends.choose("tpu"))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("no backend tpu here; there are: ")
        .hasMessageContaining("cpu");
    ProverBackendProvider card =
        new ProverBackendProvider() {
          @Override
          public String name() {
            return "cuda";
          }

          @Override
          public int priority() {
            return 10;
          }

          @Override
          public Optional<String> unavailable() {
            return Optional.of("no driver");
          }

          @Override
          public ProverBackend open(int device, Workers pool) {
            throw new AssertionError("must not be opened");
          }
        };
    List<ProverBackendProvider> both = List.of(card, new CpuBackend.Provider());
    assertThat(ProverBackends.choose("auto", both).name()).isEqualTo("cpu");
    assertThatThrownBy(() -> ProverBackends.choose("cuda", both))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("backend cuda cannot run: cuda: no driver");
  }

  private record Reversed(AffinePoints points) implements AffinePoints {
    @Override
    public Group group() {
      return points.group();
    }

    @Override
    public long size() {
      return points.size();
    }

    @Override
    public void read(long from, int count, long[] out, int at) {
      for (int i = 0; i < count; i++) {
        points.read(size() - 1 - from - i, 1, out, at + i * group().affineWords());
      }
    }
  }

  /** Passes everything on. */
  private abstract static class Wrapped implements ConstraintSystem {
    private final ConstraintSystem cs;

    Wrapped(ConstraintSystem cs) {
      this.cs = cs;
    }

    @Override
    public boolean hasWitness() {
      return cs.hasWitness();
    }

    @Override
    public int alloc(long[] value, int at) {
      return cs.alloc(value, at);
    }

    @Override
    public int allocInput(long[] value, int at) {
      return cs.allocInput(value, at);
    }

    @Override
    public void value(int variable, long[] out, int at) {
      cs.value(variable, out, at);
    }

    @Override
    public io.cuzk.r1cs.LinearCombination lc() {
      return cs.lc();
    }

    @Override
    public void enforce(
        io.cuzk.r1cs.LinearCombination a,
        io.cuzk.r1cs.LinearCombination b,
        io.cuzk.r1cs.LinearCombination c) {
      cs.enforce(a, b, c);
    }
  }
}
