package io.cuzk.gadget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.CompactAssignment;
import io.cuzk.circuit.CompactRows;
import io.cuzk.circuit.CompiledCircuit;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.field.Fr;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintMatrices;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.Literal;
import io.cuzk.r1cs.RecordedRows;
import io.cuzk.r1cs.RowDigest;
import io.cuzk.r1cs.Satisfaction;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gadgets on operands of every kind, compiled against the reference synthesis. */
class CompiledGadgetTest {
  private static RandomGenerator random(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  private static AllocatedNum number(ConstraintSystem cs, RandomGenerator random) {
    long[] value = new long[Fr.WORDS];
    BigInteger v =
        switch (random.nextInt(5)) {
          case 0 -> BigInteger.valueOf(random.nextInt(3));
          case 1 -> Fr.MODULUS.subtract(BigInteger.valueOf(1 + random.nextInt(3)));
          default -> new BigInteger(300, new java.util.Random(random.nextLong())).mod(Fr.MODULUS);
        };
    Fr.fromBigInteger(value, 0, v);
    return AllocatedNum.alloc(cs, value, 0);
  }

  /** Bits of every kind, some of them the same variables. */
  private static Bool[] bits(ConstraintSystem cs, RandomGenerator random, int n, int constants) {
    Bool[] bits = new Bool[n];
    for (int i = 0; i < n; i++) {
      boolean value = random.nextBoolean();
      int kind = random.nextInt(100);
      if (kind < constants) {
        bits[i] = Bool.constant(value);
      } else if (i > 0 && kind > 97) {
        bits[i] = bits[random.nextInt(i)];
      } else {
        bits[i] = Bool.alloc(cs, value);
        bits[i] = kind % 3 == 0 ? bits[i].not() : bits[i];
      }
    }
    return bits;
  }

  /** The circuit that a seed stands for: all gadgets, on each other's results too. */
  private static Circuit circuit(long seed, int constants) {
    return cs -> {
      RandomGenerator random = random(seed);
      Bool[] bits = bits(cs, random, 440 + 8 * random.nextInt(20), constants);
      Bool[] hash = Sha256Gadget.hash(cs, bits);
      AllocatedNum packed = Multipack.pack(cs, hash, 1 + random.nextInt(254));
      AllocatedNum a = number(cs, random);
      AllocatedNum b = number(cs, random);
      Bool[] split = a.toBits(cs);
      Bool[] strict = b.toBitsStrict(cs);
      Bool mixed = Bool.xor(cs, split[3], hash[5].not());
      Bool both = Bool.and(cs, mixed, strict[254].not());
      AllocatedNum sum = a.add(cs, packed).square(cs);
      AllocatedNum[] eight = new AllocatedNum[7];
      for (int i = 0; i < 7; i++) {
        eight[i] = i == 4 ? sum : number(cs, random);
      }
      Bool[] index = {Bool.alloc(cs, true), Bool.alloc(cs, random.nextBoolean()), strict[1]};
      AllocatedNum[] children = Insertion.insert(cs, b, index, eight);
      AllocatedNum node = PoseidonGadget.hash(cs, children);
      AllocatedNum[] two = Insertion.insert(cs, node, new Bool[] {mixed}, new AllocatedNum[] {a});
      AllocatedNum root = PoseidonGadget.hash(cs, two[0], two[1]);
      AllocatedNum again = PoseidonGadget.hash(cs, root, root);
      Multipack.packIntoInput(cs, new Bool[] {both, mixed, Bool.TRUE, split[0].not()}, 4);
      again.inputize(cs);
      cs.enforce(cs.lc().add(again.variable()), cs.lc().addOne(), cs.lc().add(again.variable()));
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 50, 100})
  void compiledIsReference(int constants) {
    try (Workers workers = Workers.of(2)) {
      for (long seed = 0; seed < 4; seed++) {
        Circuit circuit = circuit(seed, constants);
        CompiledCircuit compiled = CompiledCircuit.compile("gadgets", circuit);
        assertThat(RowDigest.of(compiled.expand(), 1000, 0))
            .usingRecursiveComparison()
            .ignoringFields("landmarks")
            .isEqualTo(RowDigest.of(circuit, 1000, 0));
        CompactAssignment compact = compiled.assign(circuit, workers);
        same(compact, ProvingAssignment.of(circuit));
        assertThat(compiled.brokenRow(circuit, compact)).isEmpty();
        assertThat(Satisfaction.firstBrokenRow(circuit)).isEmpty();
        assertThat(compiled.firstBrokenRow(circuit, compact, workers)).isEmpty();
      }
    }
  }

  private static long[] expanded(CompactRows rows, int words) {
    long[] out = new long[words];
    for (int i = 0; i < rows.small().length; i++) {
      Fr.fromBigInteger(out, 4 * i, BigInteger.valueOf(rows.small()[i]).mod(Fr.MODULUS));
    }
    for (int i = 0; i < rows.wideRows().length; i++) {
      Fr.set(out, 4 * rows.wideRows()[i], rows.wideValues(), 4 * i);
    }
    System.arraycopy(rows.trailing(), 0, out, 4 * rows.small().length, rows.trailing().length);
    return out;
  }

  private static void same(Assignment found, Assignment expected) {
    assertThat(found.aux()).isEqualTo(expected.aux());
    assertThat(found.inputs()).isEqualTo(expected.inputs());
    assertThat(found.rows()).isEqualTo(expected.rows());
    int rows = (int) expected.rows();
    long[] x = new long[4 * Math.max(rows, expected.aux())];
    long[] y = new long[x.length];
    found.readInputs(0, found.inputs(), x, 0);
    expected.readInputs(0, found.inputs(), y, 0);
    assertThat(x).isEqualTo(y);
    found.readAux(0, found.aux(), x, 0);
    expected.readAux(0, found.aux(), y, 0);
    assertThat(x).isEqualTo(y);
    Arrays.fill(x, 0);
    Arrays.fill(y, 0);
    found.readA(0, rows, x, 0);
    expected.readA(0, rows, y, 0);
    assertThat(x).isEqualTo(y);
    assertThat(expanded(found.compactA().orElseThrow(), x.length)).isEqualTo(x);
    found.readB(0, rows, x, 0);
    expected.readB(0, rows, y, 0);
    assertThat(x).isEqualTo(y);
    Arrays.fill(x, 4 * rows, x.length, 0);
    assertThat(expanded(found.compactB().orElseThrow(), x.length)).isEqualTo(x);
    assertThat(found.aAux().count()).isEqualTo(expected.aAux().count());
    assertThat(found.bAux().count()).isEqualTo(expected.bAux().count());
    for (int i = 0; i < found.aux(); i++) {
      assertThat(found.aAux().isSet(i)).isEqualTo(expected.aAux().isSet(i));
      assertThat(found.bAux().isSet(i)).isEqualTo(expected.bAux().isSet(i));
    }
    for (int i = 0; i < found.inputs(); i++) {
      assertThat(found.bInputs().isSet(i)).isEqualTo(expected.bInputs().isSet(i));
    }
  }

  /** The matrices hold the recorded rows, and their densities. */
  @Test
  void matricesHoldTheRows() {
    Circuit circuit = circuit(9, 5);
    ConstraintMatrices matrices = ConstraintMatrices.of(circuit);
    RecordedRows recorded = RecordedRows.of(circuit);
    RowDigest.Result digest = RowDigest.of(circuit, 1000, 0);
    int own = recorded.rows().size();
    assertThat(matrices.rows()).isEqualTo(own + matrices.inputs());
    for (int row = 0; row < own; row++) {
      RecordedRows.Row expected = recorded.rows().get(row);
      for (int m = 0; m < 3; m++) {
        var lc = matrices.addRow(m, row, new io.cuzk.r1cs.LinearCombination());
        var want = m == 0 ? expected.a() : m == 1 ? expected.b() : expected.c();
        int n = want.size();
        assertThat(lc.size()).isEqualTo(n);
        for (int i = 0; i < n; i++) {
          assertThat(lc.variable(i)).isEqualTo(want.variable(i));
          assertThat(Fr.equal(lc.coefficients(), 4 * i, want.coefficients(), 4 * i)).isTrue();
        }
      }
    }
    for (int m = 0; m < 3; m++) {
      assertThat(matrices.nonZeros(m)).isEqualTo(digest.nonZeros()[m]);
    }
    assertThat(matrices.auxDensity(ConstraintMatrices.A).count()).isEqualTo(digest.aAux().count());
    assertThat(matrices.auxDensity(ConstraintMatrices.B).count()).isEqualTo(digest.bAux().count());
    assertThat(matrices.inputDensity(ConstraintMatrices.B).count())
        .isEqualTo(digest.bInputs().count());
  }

  /** What a row outside of all blocks says is held against the private inputs. */
  @Test
  void aLooseRowThatFailsIsNamed() {
    Circuit circuit =
        cs -> {
          AllocatedNum a = number(cs, random(1));
          AllocatedNum b = number(cs, random(2));
          cs.enter("both");
          a.enforceEqual(cs, a);
          a.enforceEqual(cs, b);
          cs.leave();
        };
    CompiledCircuit compiled = CompiledCircuit.compile("two", circuit);
    CompactAssignment assignment = compiled.assign(circuit, Workers.single());
    assertThat(compiled.brokenRow(circuit, assignment))
        .isEqualTo(Satisfaction.firstBrokenRow(circuit))
        .hasValueSatisfying(
            broken -> {
              assertThat(broken.row()).isEqualTo(1);
              assertThat(broken.path()).isEqualTo("both");
            });
  }

  /** A block whose values do not follow from its rows cannot be compiled. */
  @Test
  void undeterminedBlocksAreRefused() {
    Block free = new Block("free", (cs, given) -> new long[] {Literal.of(cs.alloc(null, 0))});
    assertThatThrownBy(() -> CompiledCircuit.compile("x", cs -> cs.block(free, new long[0])))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("auxiliary 0 of block 'free'");
    Block root =
        new Block(
            "root",
            (cs, given) -> {
              int x = cs.alloc(null, 0);
              int square = Literal.variable(given[0]);
              cs.enforce(cs.lc().add(x), cs.lc().add(x), cs.lc().add(square));
              return new long[] {Literal.of(x)};
            });
    Circuit circuit = cs -> cs.block(root, AllocatedNum.literals(number(cs, random(3))));
    assertThatThrownBy(() -> CompiledCircuit.compile("x", circuit))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("row 0 of block 'root' does not determine x1");
  }
}
