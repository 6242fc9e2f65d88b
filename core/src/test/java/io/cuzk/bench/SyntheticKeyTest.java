package io.cuzk.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.ProofFailedException;
import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.CompiledCircuit;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import io.cuzk.field.Fr;
import io.cuzk.gadget.AllocatedNum;
import io.cuzk.gadget.Bool;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.CpuBackend;
import io.cuzk.prover.KeyShape;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The CPU's sums, which golden proofs vouch for, against sums over scalars. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SyntheticKeyTest {
  private final Workers workers = Workers.of(2);
  private final Circuit circuit = new BitsAndSquares();
  private final Assignment assignment = ProvingAssignment.of(circuit);
  private final Blinding blinding = Blinding.random();
  private SyntheticKey synthetic;

  /** More variables than the key has distinct points, and some that a query leaves out. */
  private record BitsAndSquares() implements Circuit {
    @Override
    public void synthesize(ConstraintSystem cs) {
      long[] third = new long[Fr.WORDS];
      Fr.setLong(third, 0, 3);
      Fr.inv(third, 0, third, 0);
      AllocatedNum x = AllocatedNum.alloc(cs, third, 0);
      for (int i = 0; i < 2000; i++) {
        x = x.square(cs);
      }
      x.inputize(cs);
      for (int i = 0; i < 9000; i++) {
        Bool.alloc(cs, i * i % 3 == 1);
      }
    }
  }

  @BeforeAll
  void makeKey() {
    synthetic = SyntheticKey.of("bits and squares", assignment, workers);
  }

  @AfterAll
  void close() {
    workers.close();
  }

  private Proof prove(ProvingKey key, Assignment of) {
    return CpuBackend.of(workers).prove(key, of, blinding, PhaseTimer.of(workers));
  }

  @Test
  void theCpusSumsAreThoseOfTheScalars() {
    assertThat(assignment.aux()).isGreaterThan(SyntheticKey.PERIOD);
    assertThat(assignment.bAux().count()).isLessThan(assignment.aux());
    KeyShape.requireFits("it", assignment, synthetic.key());
    synthetic.require(prove(synthetic.key(), assignment), blinding, "the CPU");
    Assignment compact = CompiledCircuit.compile("it", circuit).assign(circuit, workers);
    SyntheticKey ofCompact = SyntheticKey.of("the compiled one", compact, workers);
    ofCompact.require(prove(ofCompact.key(), compact), blinding, "the CPU");
  }

  /** One point of a list is the next one. */
  private record OneWrong(AffinePoints points, long which) implements AffinePoints {
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
      points.read(from, count, out, at);
      if (from <= which && which < from + count) {
        points.read(which - 1, 1, out, at + (int) (which - from) * points.group().affineWords());
      }
    }
  }

  private void wrong(String part, ProvingKey key) {
    assertThatThrownBy(() -> synthetic.require(prove(key, assignment), blinding, "a bad device"))
        .isInstanceOf(ProofFailedException.class)
        .hasMessageContaining("a bad device")
        .hasMessageContaining("bits and squares: " + part);
  }

  @Test
  void aWrongSumIsNamed() {
    ProvingKey k = synthetic.key();
    // The last auxiliary is the bit of i = 8999, a one; its point is the last of three lists.
    AffinePoints l = new OneWrong(k.l(), k.l().size() - 1);
    AffinePoints a = new OneWrong(k.a(), k.a().size() - 1);
    AffinePoints b1 = new OneWrong(k.bG1(), k.bG1().size() - 1);
    AffinePoints b2 = new OneWrong(k.bG2(), k.bG2().size() - 1);
    AffinePoints h = new OneWrong(k.h(), 5);
    String onlyC = "C (the sums h, l, b_g1 and A); no figure";
    wrong(onlyC, of(k, k.h(), l, k.a(), k.bG1(), k.bG2()));
    wrong(onlyC, of(k, h, k.l(), k.a(), k.bG1(), k.bG2()));
    wrong(onlyC, of(k, k.h(), k.l(), k.a(), b1, k.bG2()));
    wrong("A (the sum a), C (the", of(k, k.h(), k.l(), a, k.bG1(), k.bG2()));
    wrong("B (the sum b_g2); no figure", of(k, k.h(), k.l(), k.a(), k.bG1(), b2));
  }

  private static ProvingKey of(
      ProvingKey key,
      AffinePoints h,
      AffinePoints l,
      AffinePoints a,
      AffinePoints bG1,
      AffinePoints bG2) {
    return new ProvingKey(key.name(), key.digest(), key.vk(), key.hOrder(), h, l, a, bG1, bG2);
  }
}
