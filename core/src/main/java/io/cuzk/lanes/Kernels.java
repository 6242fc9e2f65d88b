package io.cuzk.lanes;

import io.cuzk.lanes.KernelWriter.Half;
import io.cuzk.lanes.KernelWriter.Operand;
import io.cuzk.lanes.KernelWriter.Product;
import io.cuzk.lanes.KernelWriter.Residue;
import io.cuzk.lanes.KernelWriter.Sums;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Makes the kernels: each call defines a new hidden class that implements {@link FpKernels} or
 * {@link FrKernels} with code written by {@link KernelWriter}.
 *
 * <p>They are written when needed and not by javac because the width of the vectors must be a
 * constant of the code, and because a fresh class is the one way out when the JVM's compiler has
 * given up on a method.
 */
final class Kernels {
  /** HotSpot never compiles a method of more bytecodes (-XX:-DontCompileHugeMethods aside). */
  static final int MAX_BYTECODES = 7999;

  private static final double FP_LIMB = 0x1p47 + 0x1p9;
  private static final double WIDE_LIMB = 0x1.8p52;
  private static final double FP_VALUE = 2.5;
  private static final double DOT_VALUE = 1.3;
  private static final double FR_LIMB = 0x1p43 + 0x1p9;
  private static final double FR_VALUE = 4;
  private static final double LAZY_LIMB = 0x1.6ap47;
  private static final double LAZY_VALUE = 64;
  private static final double WIDE_VALUE = 260;
  private static final double REDUCED = 0.51;

  private Kernels() {}

  /** New kernels for vectors of that many doubles, 8 or 4. */
  static FpKernels fp(int lanes) {
    return (FpKernels) define(write(FpKernels.class, fpMethods(lanes)));
  }

  /** New kernels for vectors of that many doubles, 8 or 4. */
  static FrKernels fr(int lanes) {
    return (FrKernels) define(write(FrKernels.class, frMethods(lanes)));
  }

  /** Bytecodes of each kernel. */
  static Map<String, Integer> sizes(int lanes) {
    Map<String, Integer> sizes = new TreeMap<>();
    sizes(sizes, "fp.", write(FpKernels.class, fpMethods(lanes)));
    sizes(sizes, "fr.", write(FrKernels.class, frMethods(lanes)));
    return sizes;
  }

  private static void sizes(Map<String, Integer> sizes, String prefix, byte[] clazz) {
    ClassModel model = ClassFile.of().parse(clazz);
    for (MethodModel method : model.methods()) {
      int size = ((CodeAttribute) method.code().orElseThrow()).codeLength();
      sizes.put(prefix + method.methodName().stringValue(), size);
    }
  }

  private static Consumer<ClassBuilder> fpMethods(int lanes) {
    LaneField f = LaneField.FP;
    return c -> {
      method(
          c,
          f,
          lanes,
          "mulLow",
          "[DI[DI[DI",
          w -> {
            Operand x = element(1), y = element(3), t = half(5);
            w.loop(7, List.of(x, y, t), List.of(), () -> w.storeHalf(w.low(factors(w, x, y)), t));
          });
      method(
          c,
          f,
          lanes,
          "mulHigh",
          "[DI[DI[DI[DI",
          w -> {
            Operand x = element(1), y = element(3), t = half(5), z = element(7);
            w.loop(
                9,
                List.of(x, y, t, z),
                List.of(),
                () -> {
                  List<Product> products = factors(w, x, y);
                  Half half = w.loadHalf(Sums.NONE, products, t);
                  w.store(w.product(Sums.NONE, products, half), z, FP_LIMB, FP_VALUE);
                });
          });
      method(
          c,
          f,
          lanes,
          "mulHighWide",
          "[DI[DI[DI[DI",
          w -> {
            Operand x = element(1), y = element(3), t = half(5), z = element(7);
            w.loop(
                9,
                List.of(x, y, t, z),
                List.of(),
                () -> {
                  List<Product> products = factors(w, x, y);
                  Half half = w.loadHalf(Sums.NONE, products, t);
                  w.store(w.wideProduct(products, half), z, WIDE_LIMB, FP_VALUE);
                });
          });
      method(
          c,
          f,
          lanes,
          "productLow",
          "[DI[DI[DI",
          w -> {
            Operand x = element(1), y = element(3), s = sums(5);
            w.loop(7, List.of(x, y, s), List.of(), () -> w.storeLow(List.of(term(w, x, y)), s));
          });
      method(
          c,
          f,
          lanes,
          "productHigh",
          "[DI[DI[DI[DI",
          w -> {
            Operand x = element(1), y = element(3), t = half(5), s = sums(7);
            w.loop(
                9,
                List.of(x, y, t, s),
                List.of(),
                () -> {
                  List<Product> products = List.of(term(w, x, y));
                  w.storeHigh(products, w.loadHalf(Sums.NONE, products, t), s);
                });
          });
      method(
          c,
          f,
          lanes,
          "dotLow",
          "[DI[DID[DI[DI",
          w -> {
            Operand u = element(1), v = element(3), s = sums(7), t = half(9);
            w.loop(
                11,
                List.of(u, v, s, t),
                List.of(),
                () -> {
                  Sums before = new Sums(List.of(w.declared(FP_LIMB, DOT_VALUE)), false, s);
                  w.storeHalf(w.low(before, List.of(term(w, u, v, 5))), t);
                });
          });
      method(
          c,
          f,
          lanes,
          "dotHigh",
          "[DI[DID[DI[DI[DI",
          w -> {
            Operand u = element(1), v = element(3), s = sums(7), t = half(9), z = element(11);
            w.loop(
                13,
                List.of(u, v, s, t, z),
                List.of(),
                () -> {
                  Sums before = new Sums(List.of(w.declared(FP_LIMB, DOT_VALUE)), true, s);
                  List<Product> products = List.of(term(w, u, v, 5));
                  Half half = w.loadCarry(before, products, t);
                  w.store(w.product(before, products, half), z, FP_LIMB, DOT_VALUE);
                });
          });
      method(
          c,
          f,
          lanes,
          "difference",
          "[DI[DI[DI[DI",
          w -> {
            Operand x = element(1), y = element(3), d = element(5), z = element(7);
            w.loop(
                9,
                List.of(x, y, d, z),
                List.of(),
                () -> {
                  Residue xy = w.plus(w.load(x, WIDE_LIMB, FP_VALUE), normal(w, y), true);
                  w.store(w.reduced(w.plus(xy, normal(w, d), true)), z, FP_LIMB, REDUCED);
                });
          });
      method(
          c,
          f,
          lanes,
          "subtract",
          "[DI[DI[DI",
          w -> {
            Operand x = element(1), y = element(3), z = element(5);
            w.loop(
                7,
                List.of(x, y, z),
                List.of(),
                () ->
                    w.store(
                        w.plus(normal(w, x), normal(w, y), true), z, 2 * FP_LIMB, 2 * FP_VALUE));
          });
    };
  }

  private static Operand element(int array) {
    return Operand.dense(array, LaneField.FP.groupDoubles());
  }

  private static Operand half(int array) {
    return Operand.dense(array, KernelWriter.halfVectors(LaneField.FP) * LaneField.LANES);
  }

  private static Operand sums(int array) {
    return Operand.dense(array, 2 * LaneField.FP.groupDoubles());
  }

  private static Residue normal(KernelWriter w, Operand x) {
    return w.load(x, FP_LIMB, FP_VALUE);
  }

  /** x·y, x an unreduced difference. */
  private static List<Product> factors(KernelWriter w, Operand x, Operand y) {
    return List.of(new Product(w.load(x, 2 * FP_LIMB, 2 * FP_VALUE), normal(w, y)));
  }

  /** One product of a sum of two. */
  private static Product term(KernelWriter w, Operand x, Operand y) {
    return new Product(w.load(x, FP_LIMB, DOT_VALUE), w.load(y, FP_LIMB, DOT_VALUE));
  }

  private static Product term(KernelWriter w, Operand u, Operand v, int sign) {
    Residue signed = w.signed(w.load(u, FP_LIMB, DOT_VALUE), w.broadcastArgument(sign));
    return new Product(signed, w.load(v, FP_LIMB, DOT_VALUE));
  }

  private static Consumer<ClassBuilder> frMethods(int lanes) {
    LaneField f = LaneField.FR;
    return c -> {
      method(
          c,
          f,
          lanes,
          "mul",
          "[DII[DII[DII",
          w -> {
            Operand x = Operand.stepped(1), y = Operand.stepped(4), z = Operand.stepped(7);
            w.loop(
                10,
                List.of(x, y, z),
                List.of(),
                () -> {
                  Product product = new Product(lazy(w, x), w.load(y, FR_LIMB, FR_VALUE));
                  w.store(w.product(List.of(product)), z, FR_LIMB, FR_VALUE);
                });
          });
      method(
          c,
          f,
          lanes,
          "butterfly",
          "[DIII[DII",
          w -> {
            Operand x = new Operand(1, 2, 4, 0),
                y = new Operand(1, 3, 4, 0),
                t = Operand.stepped(5);
            w.loop(
                8,
                List.of(x, y),
                List.of(t),
                () -> {
                  Residue twiddle = w.loadBroadcast(t, FR_LIMB, FR_VALUE);
                  Residue p = w.product(List.of(new Product(lazy(w, y), twiddle)));
                  Residue old = lazy(w, x);
                  double limb = LAZY_LIMB + FR_LIMB;
                  w.store(w.sum(old, p, false), x, limb, LAZY_VALUE + 2.25);
                  w.store(w.plus(old, p, true), y, limb, LAZY_VALUE + 2.25);
                });
          });
      method(
          c,
          f,
          lanes,
          "sums",
          "[DIII",
          w -> {
            Operand x = new Operand(1, 2, 4, 0), y = new Operand(1, 3, 4, 0);
            w.loop(
                5,
                List.of(x, y),
                List.of(),
                () -> {
                  Residue p = lazy(w, x);
                  Residue q = lazy(w, y);
                  w.store(w.sum(p, q, false), x, 2 * LAZY_LIMB, 2 * LAZY_VALUE);
                  w.store(w.plus(p, q, true), y, 2 * LAZY_LIMB, 2 * LAZY_VALUE);
                });
          });
      method(
          c,
          f,
          lanes,
          "difference",
          "[DII[DII[DII",
          w -> {
            Operand x = Operand.stepped(1), y = Operand.stepped(4), z = Operand.stepped(7);
            w.loop(
                10,
                List.of(x, y, z),
                List.of(),
                () -> {
                  Residue p = w.load(x, LAZY_LIMB, WIDE_VALUE);
                  Residue q = w.load(y, LAZY_LIMB, WIDE_VALUE);
                  w.store(w.reduced(w.plus(p, q, true)), z, FR_LIMB, REDUCED);
                });
          });
    };
  }

  private static Residue lazy(KernelWriter w, Operand x) {
    return w.load(x, LAZY_LIMB, LAZY_VALUE);
  }

  /** A method (arguments…, int n) of the class being built. */
  private static void method(
      ClassBuilder c,
      LaneField field,
      int lanes,
      String name,
      String arguments,
      Consumer<KernelWriter> body) {
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor("(" + arguments + "I)V");
    int locals = 1;
    for (ClassDesc parameter : type.parameterArray()) {
      locals += parameter.equals(ConstantDescs.CD_double) ? 2 : 1;
    }
    int firstFree = locals;
    c.withMethodBody(
        name,
        type,
        ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL,
        code -> body.accept(new KernelWriter(field, lanes, code, firstFree)));
  }

  private static byte[] write(Class<?> type, Consumer<ClassBuilder> methods) {
    ClassDesc name = ClassDesc.of(type.getName() + "Code");
    return ClassFile.of()
        .build(
            name,
            c -> {
              c.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC | ClassFile.ACC_SUPER);
              c.withInterfaceSymbols(type.describeConstable().orElseThrow());
              c.withMethodBody(
                  ConstantDescs.INIT_NAME,
                  ConstantDescs.MTD_void,
                  0,
                  code ->
                      code.aload(0)
                          .invokespecial(
                              ConstantDescs.CD_Object,
                              ConstantDescs.INIT_NAME,
                              ConstantDescs.MTD_void)
                          .return_());
              methods.accept(c);
            });
  }

  private static Object define(byte[] clazz) {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(clazz, true);
      return lookup
          .findConstructor(lookup.lookupClass(), java.lang.invoke.MethodType.methodType(void.class))
          .invoke();
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("kernels cannot be defined: " + e, e);
    }
  }
}
