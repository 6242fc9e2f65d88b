package io.cuzk.r1cs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.field.Fr;
import java.math.BigInteger;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against a map from variables to integers. */
class LinearCombinationTest {
  private final Random random = new Random(7);

  @ParameterizedTest
  @EnumSource(TermStorage.class)
  void sumsEqualTheirModel(TermStorage storage) {
    CombinationSource source = storage.source();
    for (int round = 0; round < 300; round++) {
      LinearCombination sum = source.create();
      Map<Long, BigInteger> model = new TreeMap<>();
      for (int step = 0; step < 1 + random.nextInt(12); step++) {
        int n = random.nextInt(10);
        LinearCombination part = source.create();
        Map<Long, BigInteger> partModel = new TreeMap<>();
        for (int i = 0; i < n; i++) {
          term(part, partModel);
        }
        BigInteger factor =
            switch (random.nextInt(4)) {
              case 0 -> {
                sum.add(part);
                yield BigInteger.ONE;
              }
              case 1 -> {
                sum.sub(part);
                yield BigInteger.ONE.negate();
              }
              case 2 -> {
                sum.addScaled(part, element(BigInteger.ZERO), 0);
                yield BigInteger.ZERO;
              }
              default -> {
                BigInteger f = new BigInteger(255, random);
                sum.addScaled(part, element(f), 0);
                yield f;
              }
            };
        partModel.forEach((v, c) -> add(model, v, c.multiply(factor)));
        check(part, partModel);
        if (random.nextBoolean()) {
          check(sum, model);
        }
      }
      check(sum, model);
      check(new LinearCombination().add(1).set(sum), model);
      check(source.lend().add(1).set(sum), model);
      source.takeBack();
      BigInteger factor = BigInteger.valueOf(random.nextInt(2));
      model.replaceAll((v, c) -> c.multiply(factor));
      check(sum.copy().scale(element(factor), 0), model);
      assertThat(sum.clear().size()).isZero();
    }
  }

  private void term(LinearCombination lc, Map<Long, BigInteger> model) {
    int variable = random.nextInt(6) | (random.nextBoolean() ? Variable.AUX : 0);
    long key = Integer.toUnsignedLong(variable);
    switch (random.nextInt(4)) {
      case 0 -> {
        lc.add(variable);
        add(model, key, BigInteger.ONE);
      }
      case 1 -> {
        lc.sub(variable);
        add(model, key, BigInteger.ONE.negate());
      }
      case 2 -> {
        lc.addOne();
        add(model, 0L, BigInteger.ONE);
      }
      default -> {
        BigInteger c = BigInteger.valueOf(random.nextInt(3));
        lc.sub(variable, element(c), 0);
        add(model, key, c.negate());
      }
    }
  }

  private static void add(Map<Long, BigInteger> model, long variable, BigInteger c) {
    model.merge(variable, c.mod(Fr.MODULUS), (x, y) -> x.add(y).mod(Fr.MODULUS));
  }

  private static long[] element(BigInteger v) {
    long[] words = new long[Fr.WORDS];
    Fr.fromBigInteger(words, 0, v);
    return words;
  }

  private static void check(LinearCombination lc, Map<Long, BigInteger> model) {
    Map<Long, BigInteger> nonZero = new TreeMap<>();
    model.forEach((v, c) -> add(nonZero, v, c));
    nonZero.values().removeIf(c -> c.signum() == 0);
    assertThat(lc.size()).isEqualTo(nonZero.size());
    long[] coefficient = new long[Fr.WORDS];
    int i = 0;
    for (Map.Entry<Long, BigInteger> term : nonZero.entrySet()) {
      assertThat(Integer.toUnsignedLong(lc.variable(i))).isEqualTo(term.getKey());
      lc.coefficient(i, coefficient, 0);
      assertThat(Fr.toBigInteger(coefficient, 0)).isEqualTo(term.getValue());
      i++;
    }
    if (nonZero.size() % 2 == 1) {
      // an odd sum is asked for its array too, which moves what lies in fields
      long[] all = lc.coefficients();
      assertThat(Fr.toBigInteger(all, 4 * i - 4)).isEqualTo(Fr.toBigInteger(coefficient, 0));
    }
  }
}
