package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.field.Fp;
import io.cuzk.field.Fr;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

/** The field kernels against BigInteger, with every pair of edge values. */
abstract class FieldKernelContract extends DeviceContract {
  /** A field of the kernels: integers modulo p, n 64-bit words, R = 2^(64n). */
  private record Field(String name, BigInteger p, int n) {
    BigInteger radix() {
      return BigInteger.ONE.shiftLeft(64 * n);
    }

    BigInteger mul(BigInteger x, BigInteger y) {
      return x.multiply(y).multiply(radix().modInverse(p)).mod(p);
    }
  }

  private static final Field FR = new Field("fr", Fr.MODULUS, Fr.WORDS);
  private static final Field FP = new Field("fp", Fp.MODULUS, Fp.WORDS);

  /** Carries, borrows and reductions that random values hardly ever meet. */
  private static List<BigInteger> values(Field f) {
    List<BigInteger> values = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      BigInteger small = BigInteger.valueOf(i);
      values.add(small);
      values.add(f.p.subtract(small).subtract(BigInteger.ONE));
      values.add(f.p.shiftRight(1).add(small));
    }
    BigInteger ones = BigInteger.ZERO;
    for (int i = 32; i < f.p.bitLength(); i += 32) {
      values.add(BigInteger.ONE.shiftLeft(i));
      values.add(BigInteger.ONE.shiftLeft(i).subtract(BigInteger.ONE));
      ones = ones.or(BigInteger.valueOf(0xffffffffL).shiftLeft(i & ~63));
    }
    values.add(ones.mod(f.p));
    values.add(f.radix().mod(f.p));
    for (int i = 0; i < 5; i++) {
      values.add(below(f.p));
    }
    return values;
  }

  private void binary(Field f, String operation, BinaryOperator<BigInteger> oracle) {
    List<BigInteger> values = values(f);
    int m = values.size();
    long[] x = new long[m * m * f.n];
    long[] y = new long[m * m * f.n];
    for (int i = 0; i < m * m; i++) {
      put(x, i * f.n, f.n, values.get(i / m));
      put(y, i * f.n, f.n, values.get(i % m));
    }
    String kernel = f.name + "_" + operation;
    long[] z = run(kernel, x, y, m * m, m * m);
    for (int i = 0; i < m * m; i++) {
      BigInteger a = values.get(i / m);
      BigInteger b = values.get(i % m);
      assertThat(get(z, i * f.n, f.n))
          .as("%s(%x, %x)", kernel, a, b)
          .isEqualTo(oracle.apply(a, b).mod(f.p));
    }
  }

  private long[] run(String kernel, long[] x, long[] y, int n, long threads) {
    try (DeviceBuffer a = upload(x);
        DeviceBuffer b = upload(y);
        DeviceBuffer r = device.allocate(8L * x.length)) {
      kernels.launch(
          kernel, threads, stream, kernels.arguments().pointer(r).pointer(a).pointer(b).i32(n));
      return download(r, x.length);
    }
  }

  @Test
  void fr() {
    binary(FR, "mul", FR::mul);
    binary(FR, "add", BigInteger::add);
    binary(FR, "sub", BigInteger::subtract);
    binary(FR, "canonical", (x, y) -> FR.mul(x, BigInteger.ONE));
  }

  @Test
  void fp() {
    binary(FP, "mul", FP::mul);
    binary(FP, "add", BigInteger::add);
    binary(FP, "sub", BigInteger::subtract);
  }

  @Test
  void fp2() {
    List<BigInteger> values = values(FP);
    int m = 500;
    int n = Fp.WORDS;
    long[] x = new long[2 * m * n];
    long[] y = new long[2 * m * n];
    BigInteger[] v = new BigInteger[4 * m];
    for (int i = 0; i < m; i++) {
      for (int k = 0; k < 4; k++) {
        // All of p − 1 first: the largest sum of two products.
        v[4 * i + k] =
            i == 0
                ? Fp.MODULUS.subtract(BigInteger.ONE)
                : values.get(RANDOM.nextInt(values.size()));
        put(k < 2 ? x : y, (2 * i + (k & 1)) * n, n, v[4 * i + k]);
      }
    }
    long[] product = run("fp2_mul", x, y, m, 2 * m);
    long[] square = run("fp2_sqr", x, y, m, 2 * m);
    long[] sum = run("fp2_add", x, y, m, 2 * m);
    long[] difference = run("fp2_sub", x, y, m, 2 * m);
    for (int i = 0; i < m; i++) {
      BigInteger a0 = v[4 * i];
      BigInteger a1 = v[4 * i + 1];
      BigInteger b0 = v[4 * i + 2];
      BigInteger b1 = v[4 * i + 3];
      requirePair(
          product, i, FP.mul(a0, b0).subtract(FP.mul(a1, b1)), FP.mul(a0, b1).add(FP.mul(a1, b0)));
      requirePair(square, i, FP.mul(a0, a0).subtract(FP.mul(a1, a1)), FP.mul(a0, a1).shiftLeft(1));
      requirePair(sum, i, a0.add(b0), a1.add(b1));
      requirePair(difference, i, a0.subtract(b0), a1.subtract(b1));
    }
  }

  private static void requirePair(long[] found, int i, BigInteger c0, BigInteger c1) {
    int n = Fp.WORDS;
    assertThat(get(found, 2 * i * n, n)).as("c0 of element %d", i).isEqualTo(c0.mod(Fp.MODULUS));
    assertThat(get(found, (2 * i + 1) * n, n)).as("c1 of %d", i).isEqualTo(c1.mod(Fp.MODULUS));
  }

  @Test
  void chains() {
    int n = 40;
    for (Field f : List.of(FR, FP)) {
      long[] x = new long[n * f.n];
      for (int i = 0; i < n; i++) {
        put(x, i * f.n, f.n, below(f.p));
      }
      long[] z;
      try (DeviceBuffer a = upload(x);
          DeviceBuffer r = device.allocate(8L * x.length)) {
        kernels.launch(
            f.name + "_mul_chain",
            n,
            stream,
            kernels.arguments().pointer(r).pointer(a).i32(n).i32(5));
        z = download(r, x.length);
      }
      for (int i = 0; i < n; i++) {
        BigInteger base = get(x, i * f.n, f.n);
        BigInteger power = base;
        for (int k = 0; k < 5; k++) {
          power = f.mul(power, base);
        }
        assertThat(get(z, i * f.n, f.n)).as("%s^6, element %d", f.name, i).isEqualTo(power);
      }
    }
  }

  @Test
  void smallIntegersAndWideRowsBecomeFieldElements() {
    int n = 300;
    int size = 512;
    byte[] small = new byte[n];
    for (int i = 0; i < n; i++) {
      small[i] = (byte) (i - 128);
    }
    int[] rows = {0, 7, 299};
    long[] wide = new long[rows.length * Fr.WORDS];
    for (int i = 0; i < rows.length; i++) {
      put(wide, i * Fr.WORDS, Fr.WORDS, below(Fr.MODULUS));
    }
    long[] found;
    try (DeviceBuffer out = device.allocate(32L * size);
        DeviceBuffer in = device.allocate(n);
        DeviceBuffer at = device.allocate(4L * rows.length);
        DeviceBuffer values = upload(wide)) {
      device.upload(in, MemorySegment.ofArray(small), stream);
      device.upload(at, MemorySegment.ofArray(rows), stream);
      kernels.launch(
          "expand_small",
          size,
          stream,
          kernels.arguments().pointer(out).pointer(in).i32(n).i32(size));
      kernels.launch(
          "expand_wide",
          rows.length,
          stream,
          kernels.arguments().pointer(out).pointer(at).pointer(values).i32(rows.length));
      found = download(out, size * Fr.WORDS);
    }
    long[] expected = new long[size * Fr.WORDS];
    for (int i = 0; i < n; i++) {
      Fr.fromBigInteger(expected, i * Fr.WORDS, BigInteger.valueOf(small[i]).mod(Fr.MODULUS));
    }
    for (int i = 0; i < rows.length; i++) {
      Fr.set(expected, rows[i] * Fr.WORDS, wide, i * Fr.WORDS);
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void bitsBecomeFieldElements() {
    int n = 333;
    int size = 512;
    long[] bits = new long[(n + 63) / 64];
    long[] expected = new long[size * Fr.WORDS];
    for (int i = 0; i < n; i++) {
      if (RANDOM.nextBoolean()) {
        bits[i / 64] |= 1L << i;
        Fr.setOne(expected, i * Fr.WORDS);
      }
    }
    try (DeviceBuffer out = device.allocate(32L * size);
        DeviceBuffer in = upload(bits)) {
      kernels.launch(
          "expand_bits",
          size,
          stream,
          kernels.arguments().pointer(out).pointer(in).i32(n).i32(size));
      assertThat(download(out, size * Fr.WORDS)).isEqualTo(expected);
    }
  }

  @Test
  void canonicalCoordinatesBecomeMontgomeryForm() {
    List<BigInteger> values = values(FP);
    long[] x = new long[values.size() * Fp.WORDS];
    for (int i = 0; i < values.size(); i++) {
      put(x, i * Fp.WORDS, Fp.WORDS, values.get(i));
    }
    try (DeviceBuffer a = upload(x)) {
      kernels.launch(
          "fp_montgomery",
          values.size(),
          stream,
          kernels.arguments().pointer(a).i32(values.size()));
      long[] z = download(a, x.length);
      for (int i = 0; i < values.size(); i++) {
        assertThat(get(z, i * Fp.WORDS, Fp.WORDS))
            .isEqualTo(values.get(i).multiply(FP.radix()).mod(Fp.MODULUS));
      }
    }
  }
}
