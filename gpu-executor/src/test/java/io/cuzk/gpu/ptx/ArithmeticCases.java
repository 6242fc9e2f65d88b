package io.cuzk.gpu.ptx;

import static io.cuzk.gpu.ptx.GoldenCase.cut;
import static io.cuzk.gpu.ptx.GoldenCase.of;
import static io.cuzk.gpu.ptx.GoldenCase.signed;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BinaryOperator;

/** Every arithmetic opcode in every form, with what the PTX manual says that it computes. */
final class ArithmeticCases {
  private static final int[] WIDTHS = {16, 32, 64};

  private ArithmeticCases() {}

  /** All of them. */
  static List<GoldenCase> all() {
    List<GoldenCase> cases = new ArrayList<>();
    for (int bits : WIDTHS) {
      plain(cases, bits);
      for (String kind : List.of("u", "s")) {
        typed(cases, kind, bits);
        for (String relation : List.of("eq", "ne", "lt", "le", "gt", "ge")) {
          compare(cases, relation, kind, bits);
        }
      }
    }
    for (int bits : new int[] {32, 64}) {
      carries(cases, bits);
      bits(cases, bits);
    }
    compare(cases, "lo", "u", 32);
    compare(cases, "ls", "u", 32);
    compare(cases, "hi", "u", 64);
    compare(cases, "hs", "u", 64);
    conversions(cases);
    words(cases);
    predicates(cases);
    return cases;
  }

  private static void two(
      List<GoldenCase> cases, String opcode, int in, int out, BinaryOperator<BigInteger> oracle) {
    cases.add(
        of(opcode + " %d, %a, %b;", in, out, v -> List.of(cut(oracle.apply(v[0], v[1]), out))));
  }

  private static void plain(List<GoldenCase> cases, int bits) {
    String b = ".b" + bits;
    cases.add(of("mov" + b + " %d, %a;", bits, bits, v -> List.of(v[0])));
    two(cases, "and" + b, bits, bits, BigInteger::and);
    two(cases, "or" + b, bits, bits, BigInteger::or);
    two(cases, "xor" + b, bits, bits, BigInteger::xor);
    cases.add(of("not" + b + " %d, %a;", bits, bits, v -> List.of(cut(v[0].not(), bits))));
    cases.add(
        of(
            "setp.ne.u%d %%p, %%c, 0; selp.b%d %%d, %%a, %%b, %%p;".formatted(bits, bits),
            bits,
            bits,
            v -> List.of(v[2].signum() != 0 ? v[0] : v[1])));
    cases.add(
        of(
            "cvt.u32.u%d %%n, %%b; shl.b%d %%d, %%a, %%n;".formatted(bits, bits),
            bits,
            bits,
            v -> List.of(cut(v[0].shiftLeft(count(v[1], bits)), bits))));
  }

  /** Shift counts are 32 bits, and at most the width. */
  private static int count(BigInteger value, int bits) {
    return cut(value, 32).min(BigInteger.valueOf(bits)).intValue();
  }

  private static BigInteger typed(BigInteger value, String kind, int bits) {
    return kind.equals("s") ? signed(value, bits) : value;
  }

  private static void typed(List<GoldenCase> cases, String kind, int bits) {
    String t = "." + kind + bits;
    BinaryOperator<BigInteger> product =
        (a, b) -> typed(a, kind, bits).multiply(typed(b, kind, bits));
    two(cases, "add" + t, bits, bits, BigInteger::add);
    two(cases, "sub" + t, bits, bits, BigInteger::subtract);
    two(cases, "mul.lo" + t, bits, bits, product);
    two(cases, "mul.hi" + t, bits, bits, (a, b) -> product.apply(a, b).shiftRight(bits));
    two(cases, "min" + t, bits, bits, (a, b) -> typed(a, kind, bits).min(typed(b, kind, bits)));
    two(cases, "max" + t, bits, bits, (a, b) -> typed(a, kind, bits).max(typed(b, kind, bits)));
    if (bits < 64) {
      two(cases, "mul.wide" + t, bits, 2 * bits, product);
      cases.add(
          of(
              "cvt.u%d.u%d %%d, %%c; mad.wide%s %%d, %%a, %%b, %%d;".formatted(2 * bits, bits, t),
              bits,
              2 * bits,
              v -> List.of(cut(product.apply(v[0], v[1]).add(v[2]), 2 * bits))));
    }
    cases.add(
        of(
            "mad.lo" + t + " %d, %a, %b, %c;",
            bits,
            bits,
            v -> List.of(cut(product.apply(v[0], v[1]).add(v[2]), bits))));
    cases.add(
        of(
            "mad.hi" + t + " %d, %a, %b, %c;",
            bits,
            bits,
            v -> List.of(cut(product.apply(v[0], v[1]).shiftRight(bits).add(v[2]), bits))));
    cases.add(
        of(
            "or.b%d %%c, %%b, 1; div%s %%d, %%a, %%c; rem%s %%e, %%a, %%c;".formatted(bits, t, t),
            bits,
            bits,
            v -> {
              BigInteger[] found =
                  typed(v[0], kind, bits).divideAndRemainder(typed(v[1].setBit(0), kind, bits));
              return List.of(cut(found[0], bits), cut(found[1], bits));
            }));
    cases.add(
        of(
            "cvt.u32.u%d %%n, %%b; shr%s %%d, %%a, %%n;".formatted(bits, t),
            bits,
            bits,
            v -> List.of(cut(typed(v[0], kind, bits).shiftRight(count(v[1], bits)), bits))));
    cases.add(
        of(
            "shr" + t + " %d, %a, 5; shl.b" + bits + " %e, %a, 5;",
            bits,
            bits,
            v ->
                List.of(
                    cut(typed(v[0], kind, bits).shiftRight(5), bits),
                    cut(v[0].shiftLeft(5), bits))));
    if (kind.equals("s")) {
      cases.add(
          of(
              "neg" + t + " %d, %a; abs" + t + " %e, %a;",
              bits,
              bits,
              v -> List.of(cut(v[0].negate(), bits), cut(signed(v[0], bits).abs(), bits))));
    }
  }

  private static void compare(List<GoldenCase> cases, String relation, String kind, int bits) {
    cases.add(
        of(
            "setp.%s.%s%d %%p, %%a, %%b; selp.b%d %%d, 1, 0, %%p;"
                .formatted(relation, kind, bits, bits),
            bits,
            bits,
            v -> {
              int order = typed(v[0], kind, bits).compareTo(typed(v[1], kind, bits));
              boolean truth =
                  switch (relation) {
                    case "eq" -> order == 0;
                    case "ne" -> order != 0;
                    case "lt", "lo" -> order < 0;
                    case "le", "ls" -> order <= 0;
                    case "gt", "hi" -> order > 0;
                    default -> order >= 0;
                  };
              return List.of(truth ? BigInteger.ONE : BigInteger.ZERO);
            }));
  }

  /** The chains of long arithmetic: carries out, through and in. */
  private static void carries(List<GoldenCase> cases, int bits) {
    String u = ".u" + bits;
    BigInteger base = BigInteger.ONE.shiftLeft(bits);
    cases.add(
        of(
            "add.cc" + u + " %d, %a, %b; addc.cc" + u + " %e, %b, %c; addc" + u + " %e, %e, 0;",
            bits,
            bits,
            v -> {
              BigInteger low = v[0].add(v[1]);
              BigInteger high = v[1].add(v[2]).add(low.shiftRight(bits));
              return List.of(cut(low, bits), cut(high.mod(base).add(high.shiftRight(bits)), bits));
            }));
    cases.add(
        of(
            "sub.cc" + u + " %d, %a, %b; subc.cc" + u + " %e, %b, %c; subc" + u + " %e, %e, 0;",
            bits,
            bits,
            v -> {
              BigInteger low = v[0].subtract(v[1]);
              BigInteger high = v[1].subtract(v[2]).subtract(borrow(low));
              return List.of(cut(low, bits), cut(high.mod(base).subtract(borrow(high)), bits));
            }));
    cases.add(
        of(
            "mad.lo.cc" + u + " %d, %a, %b, %c; madc.hi" + u + " %e, %a, %b, %c;",
            bits,
            bits,
            v -> {
              BigInteger low = v[0].multiply(v[1]).mod(base).add(v[2]);
              BigInteger high = v[0].multiply(v[1]).shiftRight(bits).add(v[2]);
              return List.of(cut(low, bits), cut(high.add(low.shiftRight(bits)), bits));
            }));
    cases.add(
        of(
            "add.cc%s %%d, %%a, %%b; madc.lo.cc%s %%d, %%a, %%c, %%d; addc%s %%e, 0, 0;"
                .formatted(u, u, u),
            bits,
            bits,
            v -> {
              BigInteger sum = v[0].add(v[1]);
              BigInteger low =
                  v[0].multiply(v[2]).mod(base).add(sum.mod(base)).add(sum.shiftRight(bits));
              return List.of(cut(low, bits), low.shiftRight(bits));
            }));
    cases.add(
        of(
            "mad.hi.cc%s %%d, %%a, %%b, %%c; madc.hi.cc%s %%d, %%b, %%c, %%d; addc%s %%e, 0, 0;"
                .formatted(u, u, u),
            bits,
            bits,
            v -> {
              BigInteger first = v[0].multiply(v[1]).shiftRight(bits).add(v[2]);
              BigInteger second =
                  v[1].multiply(v[2])
                      .shiftRight(bits)
                      .add(first.mod(base))
                      .add(first.shiftRight(bits));
              return List.of(cut(second, bits), second.shiftRight(bits));
            }));
  }

  private static BigInteger borrow(BigInteger difference) {
    return difference.signum() < 0 ? BigInteger.ONE : BigInteger.ZERO;
  }

  private static void bits(List<GoldenCase> cases, int bits) {
    cases.add(
        of(
            "brev.b" + bits + " %d, %a;",
            bits,
            bits,
            v -> {
              BigInteger reversed = BigInteger.ZERO;
              for (int k = 0; k < bits; k++) {
                reversed = v[0].testBit(k) ? reversed.setBit(bits - 1 - k) : reversed;
              }
              return List.of(reversed);
            }));
    cases.add(
        of(
            "clz.b%d %%n, %%a; cvt.u%d.u32 %%d, %%n; popc.b%d %%n, %%a; cvt.u%d.u32 %%e, %%n;"
                .formatted(bits, bits, bits, bits),
            bits,
            bits,
            v ->
                List.of(
                    BigInteger.valueOf(bits - v[0].bitLength()),
                    BigInteger.valueOf(v[0].bitCount()))));
    for (String kind : List.of("u", "s")) {
      cases.add(
          of(
              "bfind.%s%d %%n, %%a; cvt.s%d.s32 %%d, %%n;".formatted(kind, bits, bits),
              bits,
              bits,
              v -> {
                int highest = typed(v[0], kind, bits).bitLength() - 1;
                return List.of(cut(BigInteger.valueOf(highest), bits));
              }));
      cases.add(
          of(
              "cvt.u32.u%d %%n, %%b; cvt.u32.u%d %%m, %%c; bfe.%s%d %%d, %%a, %%n, %%m;"
                  .formatted(bits, bits, kind, bits),
              bits,
              bits,
              v -> List.of(GoldenCase.extracted(v[0], v[1], v[2], kind.equals("s"), bits))));
    }
    cases.add(
        of(
            ("cvt.u32.u%d %%n, %%c; and.b32 %%n, %%n, 255; shr.u32 %%m, %%n, 3;"
                    + " bfi.b%d %%d, %%a, %%b, %%m, %%n;")
                .formatted(bits, bits),
            bits,
            bits,
            v -> {
              int length = v[2].intValue() & 255;
              int from = length >> 3;
              BigInteger result = v[1];
              for (int k = 0; k < length && from + k < bits; k++) {
                result = v[0].testBit(k) ? result.setBit(from + k) : result.clearBit(from + k);
              }
              return List.of(result);
            }));
  }

  private static void conversions(List<GoldenCase> cases) {
    for (PtxType from : PtxType.values()) {
      for (PtxType to : PtxType.values()) {
        boolean integers =
            from.bits >= 8
                && to.bits >= 8
                && !from.name().startsWith("B")
                && !to.name().startsWith("B");
        int in = Math.max(16, from.bits);
        int out = Math.max(16, to.bits);
        if (integers) {
          cases.add(
              of(
                  "cvt.%s.%s %%d, %%a;"
                      .formatted(
                          to.name().toLowerCase(Locale.ROOT), from.name().toLowerCase(Locale.ROOT)),
                  in,
                  out,
                  v -> {
                    BigInteger read = cut(v[0], from.bits);
                    read = from.signed ? signed(read, from.bits) : read;
                    BigInteger cut = cut(read, to.bits);
                    return List.of(cut(to.signed ? signed(cut, to.bits) : cut, out));
                  }));
        }
      }
    }
  }

  private static void words(List<GoldenCase> cases) {
    cases.add(
        of(
            "mov.b64 {%n, %m}, %a; mov.b64 %d, {%m, %n}; mov.b64 {_, %n}, %a;"
                + " cvt.u64.u32 %e, %n;",
            64,
            64,
            v ->
                List.of(cut(v[0], 32).shiftLeft(32).or(v[0].shiftRight(32)), v[0].shiftRight(32))));
    cases.add(
        of(
            "mov.b32 {%h, %i}, %a; mov.b32 %d, {%i, %h};",
            32, 32, v -> List.of(cut(v[0], 16).shiftLeft(16).or(v[0].shiftRight(16)))));
    for (String side : List.of("l", "r")) {
      for (String mode : List.of("wrap", "clamp")) {
        cases.add(
            of(
                "shf." + side + "." + mode + ".b32 %d, %a, %b, %c;",
                32,
                32,
                v -> {
                  int by = mode.equals("wrap") ? v[2].intValue() & 31 : count(v[2], 32);
                  BigInteger both = v[1].shiftLeft(32).or(v[0]);
                  return List.of(
                      side.equals("l")
                          ? cut(both.shiftLeft(by).shiftRight(32), 32)
                          : cut(both.shiftRight(by), 32));
                }));
      }
    }
    cases.add(
        of(
            "prmt.b32 %d, %a, %b, %c;",
            32, 32, v -> List.of(GoldenCase.permuted(v[0], v[1], v[2]))));
    for (int table : new int[] {0x96, 0xe8, 0xca, 0x01, 0xff, 0x3c}) {
      cases.add(
          of(
              "lop3.b32 %d, %a, %b, %c, " + table + ";",
              32,
              32,
              v -> List.of(GoldenCase.lookedUp(v[0], v[1], v[2], table))));
    }
  }

  private static void predicates(List<GoldenCase> cases) {
    for (String combine : List.of("and", "or", "xor")) {
      cases.add(
          of(
              ("setp.gt.u32 %%p, %%b, %%c; setp.lt.%s.u32 %%q|%%r, %%a, %%b, %%p;"
                      + " selp.b32 %%d, 1, 0, %%q; selp.b32 %%e, 1, 0, %%r;")
                  .formatted(combine),
              32,
              32,
              v -> {
                boolean other = v[1].compareTo(v[2]) > 0;
                boolean less = v[0].compareTo(v[1]) < 0;
                return List.of(
                    GoldenCase.bit(GoldenCase.combined(combine, less, other)),
                    GoldenCase.bit(GoldenCase.combined(combine, !less, other)));
              }));
      cases.add(
          of(
              ("setp.gt.u32 %%p, %%a, %%b; setp.gt.u32 %%q, %%b, %%c; %s.pred %%r, %%p, !%%q;"
                      + " not.pred %%q, %%r; mov.pred %%p, %%q; @!%%p mov.u32 %%e, 7;"
                      + " @%%p mov.u32 %%e, 9; selp.u32 %%d, 1, 0, %%r;")
                  .formatted(combine),
              32,
              32,
              v -> {
                boolean first = v[0].compareTo(v[1]) > 0;
                boolean second = v[1].compareTo(v[2]) > 0;
                boolean both = GoldenCase.combined(combine, first, !second);
                return List.of(GoldenCase.bit(both), BigInteger.valueOf(both ? 7 : 9));
              }));
    }
  }
}
