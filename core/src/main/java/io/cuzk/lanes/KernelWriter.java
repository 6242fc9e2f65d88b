package io.cuzk.lanes;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Writes one kernel: a loop over groups of eight elements whose body is straight-line vector code,
 * limbs in local variables, and proves while writing that every step is exact.
 *
 * <p>Each limb carries a bound on its magnitude, in its own units, and each residue a bound in
 * multiples of the modulus. Rounding is to nearest, fma rounds once. One limb product is
 *
 * <pre>h' = fma(x, y, h);  l += fma(x, y, h − h');  h = h'</pre>
 *
 * where h starts at c = 1.5·2^(width + 52) units of the column. As long as the sum of a column
 * stays below 2^(width + 51), h stays in its binade, is a multiple of 2^width, and h − h' is exact;
 * the second fma is then the exact rest, at most 2^(width − 1); and l, the sum of such rests, is
 * exact below 2^53. Both conditions are checked here for every column and break the generation if
 * they fail. The machine's code for a kernel is therefore right for all inputs inside the bounds it
 * was declared with; {@code KernelsTest} runs kernels at those bounds.
 *
 * <p>Vectors of eight or of four doubles: with four, the loop passes twice over each group.
 */
final class KernelWriter {
  private static final ClassDesc VECTOR = ClassDesc.of("jdk.incubator.vector.DoubleVector");
  private static final ClassDesc SPECIES = ClassDesc.of("jdk.incubator.vector.VectorSpecies");
  private static final ClassDesc ANY = ClassDesc.of("jdk.incubator.vector.Vector");
  private static final ClassDesc ARRAY = ConstantDescs.CD_double.arrayType();
  private static final MethodTypeDesc UNARY = MethodTypeDesc.of(VECTOR, ANY);
  private static final MethodTypeDesc BINARY = MethodTypeDesc.of(VECTOR, ANY, ANY);
  private static final MethodTypeDesc FROM_ARRAY =
      MethodTypeDesc.of(VECTOR, SPECIES, ARRAY, ConstantDescs.CD_int);
  private static final MethodTypeDesc INTO_ARRAY =
      MethodTypeDesc.of(ConstantDescs.CD_void, ARRAY, ConstantDescs.CD_int);
  private static final MethodTypeDesc BROADCAST =
      MethodTypeDesc.of(VECTOR, SPECIES, ConstantDescs.CD_double);

  /** Adding and subtracting it rounds a double below 2^51 to an integer. */
  private static final double ROUND = 0x1.8p52;

  /**
   * An array argument of a kernel.
   *
   * @param array its local variable
   * @param offset the local variable of the offset of the next group
   * @param step the local variable of the distance between groups, or −1
   * @param size that distance if it is constant
   */
  record Operand(int array, int offset, int step, int size) {
    /** An array followed by its offset, groups of that many doubles side by side. */
    static Operand dense(int array, int size) {
      return new Operand(array, array + 1, -1, size);
    }

    /** An array followed by its offset and its step. */
    static Operand stepped(int array) {
      return new Operand(array, array + 1, array + 2, 0);
    }
  }

  /** A vector in a local variable and the largest magnitude of its limb, in the limb's units. */
  record Limb(int slot, double bound) {}

  /** A residue in flight; |value| ≤ {@code multiple}·p. */
  record Residue(Limb[] limbs, double multiple) {}

  private final LaneField field;
  private final int lanes;
  private final CodeBuilder code;
  private final BitSet used = new BitSet();

  /**
   * @param lanes 8 or 4: doubles of a vector
   * @param firstFree the first local variable after the arguments
   */
  KernelWriter(LaneField field, int lanes, CodeBuilder code, int firstFree) {
    this.field = field;
    this.lanes = lanes;
    this.code = code;
    used.set(0, firstFree);
  }

  // ---- the loop

  /**
   * {@code for (; n > 0; n--) { body; advance }}; then returns.
   *
   * @param broadcast operands of which each group takes one element, not eight
   */
  void loop(int n, List<Operand> vectors, List<Operand> broadcast, Runnable body) {
    if (lanes == 4) {
      code.iload(n).iconst_1().ishl().istore(n);
    }
    Label start = code.newBoundLabel();
    Label end = code.newLabel();
    code.iload(n).ifle(end);
    BitSet before = (BitSet) used.clone();
    body.run();
    used.clear();
    used.or(before);
    for (Operand x : vectors) {
      advance(x, n, true);
    }
    for (Operand x : broadcast) {
      advance(x, n, false);
    }
    code.iinc(n, -1).goto_(start).labelBinding(end).return_();
  }

  /** With four lanes n counts down from an even number: odd means the second half of a group. */
  private void advance(Operand x, int n, boolean vector) {
    if (lanes == 8 && x.step < 0) {
      code.iinc(x.offset, x.size);
      return;
    }
    code.iload(x.offset);
    if (x.step < 0) {
      code.loadConstant(x.size);
    } else {
      code.iload(x.step);
    }
    if (lanes == 4) {
      if (vector) { // + 4, then + step − 4
        code.loadConstant(8).isub().iload(n).iconst_1().iand().imul().iconst_4().iadd();
      } else {
        code.iload(n).iconst_1().iand().imul();
      }
    }
    code.iadd().istore(x.offset);
  }

  // ---- single operations

  private int allocate() {
    int slot = used.nextClearBit(0);
    used.set(slot);
    return slot;
  }

  private void free(int slot) {
    used.clear(slot);
  }

  private void free(Residue x) {
    for (Limb limb : x.limbs) {
      free(limb.slot);
    }
  }

  private void species() {
    code.getstatic(VECTOR, lanes == 8 ? "SPECIES_512" : "SPECIES_256", SPECIES);
  }

  private void constant(double value) {
    species();
    code.loadConstant(value).invokestatic(VECTOR, "broadcast", BROADCAST);
  }

  private void get(int slot) {
    code.aload(slot);
  }

  private void add() {
    code.invokevirtual(VECTOR, "add", UNARY);
  }

  private void sub() {
    code.invokevirtual(VECTOR, "sub", UNARY);
  }

  private void fma() {
    code.invokevirtual(VECTOR, "fma", BINARY);
  }

  private int put() {
    int slot = allocate();
    code.astore(slot);
    return slot;
  }

  // ---- residues

  /** Reads a residue; limbs but the last are at most {@code limb}, the value {@code multiple}·p. */
  Residue load(Operand x, double limb, double multiple) {
    return load(x, limb, multiple, false);
  }

  /** Reads one element into all lanes. */
  Residue loadBroadcast(Operand x, double limb, double multiple) {
    return load(x, limb, multiple, true);
  }

  private Residue load(Operand x, double limb, double multiple, boolean broadcast) {
    Limb[] limbs = new Limb[field.limbs()];
    for (int j = 0; j < limbs.length; j++) {
      species();
      code.aload(x.array);
      offset(x, broadcast ? j : j * LaneField.LANES);
      if (broadcast) {
        code.daload().invokestatic(VECTOR, "broadcast", BROADCAST);
      } else {
        code.invokestatic(VECTOR, "fromArray", FROM_ARRAY);
      }
      limbs[j] = new Limb(put(), j < limbs.length - 1 ? limb : top(multiple, limb));
    }
    return new Residue(limbs, multiple);
  }

  /** The largest top limb of a value of that many p, the lower limbs being below 2^(width + 2). */
  private double top(double multiple, double limb) {
    double unit = Math.scalb(1.0, field.width() * (field.limbs() - 1));
    return multiple * field.modulus().doubleValue() / unit
        + 2 * Math.scalb(limb, -field.width())
        + 1;
  }

  private void offset(Operand x, int plus) {
    code.iload(x.offset);
    if (plus != 0) {
      code.loadConstant(plus).iadd();
    }
  }

  /**
   * Writes a residue that must be at most {@code limb} in all limbs but the last.
   *
   * @throws IllegalStateException if it may be larger
   */
  void store(Residue x, Operand to, double limb, double multiple) {
    for (int j = 0; j < field.limbs() - 1; j++) {
      if (x.limbs[j].bound > limb) {
        throw new IllegalStateException(
            "limb %d may reach %a, promised %a".formatted(j, x.limbs[j].bound, limb));
      }
    }
    if (x.multiple > multiple) {
      throw new IllegalStateException(
          "value may reach %.3f moduli, promised %.3f".formatted(x.multiple, multiple));
    }
    for (int j = 0; j < field.limbs(); j++) {
      get(x.limbs[j].slot);
      code.aload(to.array);
      offset(to, j * LaneField.LANES);
      code.invokevirtual(VECTOR, "intoArray", INTO_ARRAY);
    }
    free(x);
  }

  /** x ± y, limb by limb, in place of x. */
  Residue plus(Residue x, Residue y, boolean minus) {
    Residue sum = sum(x, y, minus);
    free(x);
    free(y);
    return sum;
  }

  /** x ± y, keeping both. */
  Residue sum(Residue x, Residue y, boolean minus) {
    Limb[] limbs = new Limb[field.limbs()];
    for (int j = 0; j < limbs.length; j++) {
      get(x.limbs[j].slot);
      get(y.limbs[j].slot);
      if (minus) {
        sub();
      } else {
        add();
      }
      double bound = x.limbs[j].bound + y.limbs[j].bound;
      check(bound, 53, "limb of a sum");
      limbs[j] = new Limb(put(), bound);
    }
    return new Residue(limbs, x.multiple + y.multiple);
  }

  /** x·s for a vector s of ±1, in place. */
  Residue signed(Residue x, int sign) {
    Limb[] limbs = new Limb[field.limbs()];
    for (int j = 0; j < limbs.length; j++) {
      get(x.limbs[j].slot);
      get(sign);
      code.invokevirtual(VECTOR, "mul", UNARY);
      limbs[j] = new Limb(x.limbs[j].slot, x.limbs[j].bound);
      code.astore(limbs[j].slot);
    }
    return new Residue(limbs, x.multiple);
  }

  /** A scalar argument in all lanes. */
  int broadcastArgument(int local) {
    species();
    code.dload(local).invokestatic(VECTOR, "broadcast", BROADCAST);
    return put();
  }

  /** x − k·p with k = round(x/p), limbs normalised; consumes x. */
  Residue reduced(Residue x) {
    int n = field.limbs();
    get(x.limbs[n - 1].slot);
    constant(1 / field.modulusOverRadix());
    constant(ROUND);
    fma();
    constant(ROUND);
    sub();
    int k = put();
    double quotients = x.multiple + 1;
    long[] p = field.digits(field.modulus());
    Limb[] limbs = new Limb[n];
    for (int j = 0; j < n; j++) {
      int slot = x.limbs[j].slot;
      get(k);
      constant(-field.stored(p[j], j));
      get(slot);
      fma();
      code.astore(slot);
      double bound = x.limbs[j].bound + quotients * Math.abs(p[j]);
      check(bound, 53, "limb of a reduction");
      limbs[j] = new Limb(slot, bound);
    }
    free(k);
    // The quotient misses by what the lower limbs weigh against p.
    double unit = field.modulus().doubleValue();
    double missed = 0;
    for (int j = 0; j < n - 1; j++) {
      missed += Math.scalb(x.limbs[j].bound, field.width() * j) / unit;
    }
    return normalised(new Residue(limbs, 0.5 + missed + 1e-9));
  }

  /** The same value with limbs of little more than half a unit; consumes x. */
  Residue normalised(Residue x) {
    int n = field.limbs();
    Limb[] limbs = new Limb[n];
    int carry = -1;
    double carried = 0;
    for (int j = 0; j < n - 1; j++) {
      int slot = x.limbs[j].slot;
      double magic = Math.scalb(1.5, field.width() * (j + 1) + 52 - field.bits());
      get(slot);
      constant(magic);
      add();
      constant(magic);
      sub();
      int next = put();
      get(slot);
      get(next);
      sub();
      if (carry >= 0) {
        get(carry);
        add();
        free(carry);
      }
      code.astore(slot);
      limbs[j] = new Limb(slot, Math.scalb(1.0, field.width() - 1) + carried);
      carried = Math.scalb(x.limbs[j].bound, -field.width()) + 0.5;
      carry = next;
    }
    int slot = x.limbs[n - 1].slot;
    get(slot);
    get(carry);
    add();
    code.astore(slot);
    free(carry);
    double bound = Math.min(x.limbs[n - 1].bound + carried, top(x.multiple, limbs[0].bound));
    limbs[n - 1] = new Limb(slot, bound);
    return new Residue(limbs, x.multiple);
  }

  // ---- products

  /** One product of a sum of products. */
  record Product(Residue x, Residue y) {}

  /** One product of limbs in a column: of two variables, or of a variable and a constant. */
  private record Factor(int x, int y, double constant, double bound) {}

  /** A product half done: the low columns as digits, and what they carry into column N. */
  final class Half {
    private final int[] digits;
    private final int carry;
    private final double carried;

    private Half(int[] digits, int carry, double carried) {
      this.digits = digits;
      this.carry = carry;
      this.carried = carried;
    }
  }

  /** Vectors of a stored {@link Half}: a digit for each limb, and the carry. */
  static int halfVectors(LaneField field) {
    return field.limbs() + 1;
  }

  private List<Factor> factors(List<Product> products, int[] digits, int k) {
    List<Factor> factors = new ArrayList<>(products(products, k));
    factors.addAll(folds(digits, k));
    return factors;
  }

  /** What the operands put into column k. */
  private List<Factor> products(List<Product> products, int k) {
    int n = field.limbs();
    List<Factor> factors = new ArrayList<>();
    for (Product product : products) {
      for (int i = Math.max(0, k - n + 1); i < n && i <= k; i++) {
        Limb x = product.x.limbs[i];
        Limb y = product.y.limbs[k - i];
        factors.add(new Factor(x.slot, y.slot, 0, x.bound * y.bound));
      }
    }
    return factors;
  }

  /** What the digits of the low columns put into column k. */
  private List<Factor> folds(int[] digits, int k) {
    int n = field.limbs();
    int w = field.width();
    double half = Math.scalb(1.0, w - 1);
    List<Factor> factors = new ArrayList<>();
    for (int i = 0; i < n - 1; i++) {
      int j = k - field.targets()[i];
      if (j >= 0 && j < n) {
        int d = field.targets()[i] - i;
        long q = field.digits(field.shifted(d))[j];
        double constant = Math.scalb((double) q, w * (j + d));
        factors.add(new Factor(digits[i], -1, constant, half * Math.abs(q)));
      }
    }
    if (k > n - 1) {
      int j = k - n + 1;
      long p = field.digits(field.modulus())[j];
      factors.add(new Factor(digits[n - 1], -1, Math.scalb((double) p, w * j), half * Math.abs(p)));
    }
    return factors;
  }

  /** 1.5·2^(width + 52) units of column k. */
  private double centre(int k) {
    return Math.scalb(1.5, field.width() + 52 + field.width() * k - 2 * field.bits());
  }

  /** The sum of a column, growing: high ‖ low, the low part in one or more chains of additions. */
  private final class Column {
    private final int k;
    private final double centre;
    private final int[] lows;
    private int high = -1;
    private int low = -1;
    private int count;
    private double sum;
    private double rests;

    Column(int k, int chains) {
      this.k = k;
      centre = centre(k);
      lows = new int[chains];
      java.util.Arrays.fill(lows, -1);
    }

    /** Goes on from the sums of other products. */
    void resume(Operand sums, int at, List<Factor> before) {
      high = loadVector(sums, at);
      lows[0] = loadVector(sums, at + 1);
      sum = sumBound(before);
      rests = restBound(before);
    }

    void add(Factor f) {
      sum += f.bound;
      rests += Math.scalb(1.0, field.width() - 1);
      int y = f.y;
      if (y < 0) {
        constant(f.constant);
        y = put();
      }
      int h = high;
      if (h < 0) {
        constant(centre);
        h = put();
      }
      int chain = count++ % lows.length;
      get(f.x);
      get(y);
      get(h);
      fma();
      int next = put();
      if (lows[chain] >= 0) {
        get(lows[chain]);
      }
      get(f.x);
      get(y);
      get(h);
      get(next);
      sub();
      fma();
      if (lows[chain] >= 0) {
        KernelWriter.this.add();
        free(lows[chain]);
      }
      lows[chain] = put();
      free(h);
      high = next;
      if (f.y < 0) {
        free(y);
      }
    }

    /** The chains' sum. */
    void join() {
      low = lows[0];
      for (int i = 1; i < lows.length; i++) {
        if (lows[i] >= 0) {
          low = plus(low, lows[i], false);
        }
      }
    }

    /**
     * Adds what comes from outside, last, so that columns wait for each other as little as
     * possible, and checks that all was exact.
     */
    void finish(int carry, double carried) {
      join();
      rests += carried;
      if (carry >= 0) {
        low = plus(low, carry, false);
      }
      check(sum + rests, field.width() + 51, "column " + k);
      check(rests, 53, "rests of column " + k);
    }
  }

  /**
   * Column sums of some products of a sum of products, and where they are kept.
   *
   * @param folded whether what the low digits put into these columns is in them too
   */
  record Sums(List<Product> products, boolean folded, Operand at) {
    static final Sums NONE = new Sums(List.of(), false, null);
  }

  private Column column(int k, int first, int chains, Sums before) {
    Column column = new Column(k, chains);
    if (before.at != null) {
      List<Factor> summed = new ArrayList<>(products(before.products, k));
      if (before.folded) {
        summed.addAll(folds(new int[field.limbs()], k));
      }
      column.resume(before.at, 2 * (k - first), summed);
    }
    return column;
  }

  /**
   * Chains of additions in a column. HotSpot orders the code of a column by itself, one chain after
   * the other. Two of half the length took a sixth off the high columns of Fp and a tenth off a
   * product in Fr when in its low columns; elsewhere they cost a little.
   */
  private int highChains() {
    return field.limbs() > 6 ? 2 : 1;
  }

  private int lowChains() {
    return field.limbs() > 6 ? 1 : 2;
  }

  private static List<Product> all(Sums before, List<Product> products) {
    List<Product> all = new ArrayList<>(before.products);
    all.addAll(products);
    return all;
  }

  /** Writes the sums of the products' low columns, high ‖ low each; consumes the operands. */
  void storeLow(List<Product> products, Operand to) {
    for (int k = 0; k < field.limbs(); k++) {
      storeSum(k, products(products, k), lowChains(), to, k);
    }
  }

  /**
   * Writes the sums of the products' high columns with the low columns' digits folded into them,
   * high ‖ low each; consumes the operands.
   */
  void storeHigh(List<Product> products, Half half, Operand to) {
    int n = field.limbs();
    for (int k = n; k < 2 * n - 1; k++) {
      storeSum(k, factors(products, half.digits, k), highChains(), to, k - n);
    }
  }

  private void storeSum(int k, List<Factor> factors, int chains, Operand out, int at) {
    Column column = new Column(k, chains);
    factors.forEach(column::add);
    column.join();
    storeVector(column.high, out, 2 * at);
    storeVector(column.low, out, 2 * at + 1);
    free(column.high);
    free(column.low);
  }

  /** The largest sum of a column's products, and of its rests without those carried into it. */
  private double sumBound(List<Factor> factors) {
    return factors.stream().mapToDouble(Factor::bound).sum();
  }

  private double restBound(List<Factor> factors) {
    return factors.size() * Math.scalb(1.0, field.width() - 1);
  }

  /** What low column k carries on at most. */
  private double carried(List<Product> products, int k) {
    if (k < 0) {
      return 0;
    }
    List<Factor> factors = factors(products, new int[field.limbs()], k);
    double total = sumBound(factors) + restBound(factors) + carried(products, k - 1);
    if (k == field.limbs() - 1) {
      total += Math.scalb(1.0, 2 * field.width() - 2);
    }
    return Math.scalb(total, -field.width()) + 2;
  }

  /** The low columns of Σ products. Keeps what the high columns need of the operands. */
  Half low(List<Product> products) {
    return low(Sums.NONE, products);
  }

  /** The same with sums that were stored before. */
  Half low(Sums before, List<Product> products) {
    int n = field.limbs();
    int[] digits = new int[n];
    int carry = -1;
    List<Product> all = all(before, products);
    for (int k = 0; k < n; k++) {
      Column column = column(k, 0, lowChains(), before);
      factors(products, digits, k).forEach(column::add);
      column.finish(carry, carried(all, k - 1));
      // digit = low + (high − (high + low)); what was rounded off goes on as the carry.
      get(column.high);
      get(column.low);
      add();
      int rounded = put();
      digits[k] = rest(column.low, column.high, rounded);
      free(column.low);
      free(column.high);
      if (k < n - 1) {
        get(rounded);
        constant(column.centre);
        sub();
        free(rounded);
        carry = put();
      } else {
        carry = montgomeryStep(rounded, digits[k], column.centre);
      }
    }
    release(products, 0, n - 1);
    return new Half(digits, carry, carried(all, n - 1));
  }

  /** low + (high − rounded), in a new variable. */
  private int rest(int low, int high, int rounded) {
    get(low);
    get(high);
    get(rounded);
    sub();
    add();
    return put();
  }

  /**
   * The high columns of Σ products: (Σ products)/R. Without normalising, limbs are exact sums below
   * 2^53. Consumes all.
   */
  private Residue high(Sums before, List<Product> products, Half half, boolean normalise) {
    int n = field.limbs();
    int w = field.width();
    int carry = half.carry;
    double carried = half.carried;
    int small = -1;
    double smallBound = 0;
    Limb[] out = new Limb[n];
    List<Product> all = all(before, products);
    for (int k = n; k < 2 * n - 1; k++) {
      int j = k - n;
      Column column = column(k, n, highChains(), before);
      (before.folded ? products(products, k) : factors(products, half.digits, k))
          .forEach(column::add);
      release(products, k, k);
      column.finish(carry, carried);
      int high = column.high;
      int low = column.low;
      double rests = column.rests;
      if (normalise) {
        get(high);
        get(low);
        add();
        int rounded = put();
        int digit = rest(low, high, rounded);
        free(low);
        out[j] =
            new Limb(
                small < 0 ? digit : plus(digit, small, false), Math.scalb(1.0, w - 1) + smallBound);
        get(rounded);
        get(high);
        sub();
        free(rounded);
        small = put();
        smallBound = Math.scalb(rests, -w) + 1;
      } else {
        out[j] = new Limb(low, rests);
      }
      get(high);
      constant(centre(k));
      sub();
      free(high);
      carry = put();
      carried = Math.scalb(sumBound(factors(all, half.digits, k)), -w) + 1;
    }
    if (!before.folded) {
      for (int digit : half.digits) {
        free(digit);
      }
    }
    int top = small < 0 ? carry : plus(carry, small, false);
    double multiple = multiple(all);
    double lower = 0;
    for (int j = 0; j < n - 1; j++) {
      lower = Math.max(lower, out[j].bound);
    }
    out[n - 1] = new Limb(top, top(multiple, lower));
    return new Residue(out, multiple);
  }

  /** Writes a half product, {@link #halfVectors} vectors. */
  void storeHalf(Half half, Operand to) {
    for (int i = 0; i <= field.limbs(); i++) {
      storeVector(i < field.limbs() ? half.digits[i] : half.carry, to, i);
    }
  }

  private void storeVector(int slot, Operand to, int i) {
    get(slot);
    code.aload(to.array);
    offset(to, i * LaneField.LANES);
    code.invokevirtual(VECTOR, "intoArray", INTO_ARRAY);
  }

  private int loadVector(Operand from, int i) {
    species();
    code.aload(from.array);
    offset(from, i * LaneField.LANES);
    code.invokestatic(VECTOR, "fromArray", FROM_ARRAY);
    return put();
  }

  /** Reads what {@link #storeHalf} wrote for the same operands and sums. */
  Half loadHalf(Sums before, List<Product> products, Operand from) {
    int n = field.limbs();
    int[] slots = new int[n + 1];
    for (int i = 0; i <= n; i++) {
      slots[i] = loadVector(from, i);
    }
    release(products, 0, n - 1);
    double carried = carried(all(before, products), n - 1);
    return new Half(java.util.Arrays.copyOf(slots, n), slots[n], carried);
  }

  /** Of what {@link #storeHalf} wrote the carry, for sums into which the digits were folded. */
  Half loadCarry(Sums folded, List<Product> products, Operand from) {
    int n = field.limbs();
    return new Half(new int[n], loadVector(from, n), carried(all(folded, products), n - 1));
  }

  /** Operands whose products are in stored sums: bounds only. */
  Product declared(double limb, double multiple) {
    return new Product(unloaded(limb, multiple), unloaded(limb, multiple));
  }

  private Residue unloaded(double limb, double multiple) {
    Limb[] limbs = new Limb[field.limbs()];
    for (int j = 0; j < limbs.length; j++) {
      limbs[j] = new Limb(-1, j < limbs.length - 1 ? limb : top(multiple, limb));
    }
    return new Residue(limbs, multiple);
  }

  /** x ± y of two vectors; frees both. */
  private int plus(int x, int y, boolean minus) {
    get(x);
    get(y);
    if (minus) {
      sub();
    } else {
      add();
    }
    free(x);
    free(y);
    return put();
  }

  /** Frees operand limbs whose last column is one of from … to. */
  private void release(List<Product> products, int from, int to) {
    for (int k = Math.max(from, field.limbs() - 1); k <= to; k++) {
      for (Product product : products) {
        free(product.x.limbs[k - field.limbs() + 1].slot);
        free(product.y.limbs[k - field.limbs() + 1].slot);
      }
    }
  }

  /**
   * m = t·(−1/p) mod 2^width, left in t's variable; returns the carry of t + m·p_0, whose low part
   * is 0 or one unit of the next column.
   */
  private int montgomeryStep(int high, int t, double c) {
    double p0 = field.digits(field.modulus())[0];
    double inverse = field.negatedInverse();
    get(t);
    constant(inverse);
    constant(c);
    fma();
    int rounded = put();
    get(t);
    constant(inverse);
    constant(c);
    get(rounded);
    sub();
    fma();
    free(rounded);
    int m = put();
    get(m);
    constant(p0);
    get(high);
    fma();
    int next = put();
    get(next);
    constant(c);
    sub();
    get(t);
    get(m);
    constant(p0);
    get(high);
    get(next);
    sub();
    fma();
    add();
    add();
    free(high);
    free(next);
    int carry = put();
    get(m);
    code.astore(t);
    free(m);
    return carry;
  }

  /** Σ|x|·|y|/R, the folded digits, the Montgomery step; in multiples of p. */
  private double multiple(List<Product> products) {
    double sum = 0;
    for (Product product : products) {
      sum += product.x.multiple * product.y.multiple * field.modulusOverRadix();
    }
    int n = field.limbs();
    int w = field.width();
    int[] targets = field.targets();
    for (int i = 0; i < n - 1; i++) {
      // digit·2^(w·target)·p/2, and the digit itself that is taken away
      sum += Math.scalb(1.0, w - 2 + w * (targets[i] - n));
      sum += Math.scalb(1.0, w - 1 + w * (i - n)) / field.modulus().doubleValue();
    }
    sum += 0.5; // |m| ≤ half a digit, times p at the last low column
    return sum;
  }

  /** Σ products/R, normalised; consumes the operands. */
  Residue product(List<Product> products) {
    return high(Sums.NONE, products, low(products), true);
  }

  /** Σ products/R from its half, normalised; consumes the operands. */
  Residue product(Sums before, List<Product> products, Half half) {
    return high(before, products, half, true);
  }

  /** Σ products/R from its half, its limbs as they come; consumes the operands. */
  Residue wideProduct(List<Product> products, Half half) {
    return high(Sums.NONE, products, half, false);
  }

  private void check(double bound, int log, String what) {
    if (!(bound < Math.scalb(1.0, log))) {
      throw new IllegalStateException(
          "%s may reach 2^%.2f, exact only below 2^%d"
              .formatted(what, Math.log(bound) / Math.log(2), log));
    }
  }
}
