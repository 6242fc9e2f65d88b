package io.cuzk.bench;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.curve.Group;
import io.cuzk.field.Fp;
import io.cuzk.field.Fr;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A rival: the blst library that the user has built, called through foreign memory. Its elements
 * are Montgomery words as in {@link Fp} and {@link Fr}, so nothing is converted.
 *
 * <p>Pointers are passed as 64-bit integers, which every 64-bit ABI that Java links to passes
 * alike. Belongs to the thread that opened it.
 */
@SuppressWarnings("restricted")
public final class Blst implements AutoCloseable {
  private static final List<String> NAMES = List.of("libblst.so", "libblst.dylib", "blst.dll");
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
  private static final Linker LINKER = Linker.nativeLinker();

  /**
   * f(ret, a, b) without a change of the thread's state: a call costs little more than in C. The
   * address comes with the call, so that the handle is a constant for HotSpot.
   */
  private static final MethodHandle PRODUCT =
      LINKER.downcallHandle(
          FunctionDescriptor.ofVoid(WORD, WORD, WORD), Linker.Option.critical(false));

  private static final MethodHandle PIPPENGER =
      LINKER.downcallHandle(FunctionDescriptor.ofVoid(WORD, WORD, WORD, WORD, WORD, WORD));

  private static final MethodHandle SCRATCH_SIZE =
      LINKER.downcallHandle(FunctionDescriptor.of(WORD, WORD));

  private static final MethodHandle TO_AFFINE =
      LINKER.downcallHandle(FunctionDescriptor.ofVoid(WORD, WORD));

  private final Arena arena = Arena.ofConfined();
  private final Path file;
  private final SymbolLookup symbols;

  private Blst(Path file) {
    this.file = file;
    try {
      symbols = SymbolLookup.libraryLookup(file, arena);
    } catch (IllegalArgumentException e) {
      arena.close();
      throw new InfrastructureException(
          "cannot load %s: %s; was it built for this machine?".formatted(file, e.getMessage()), e);
    }
  }

  /**
   * Loads the shared library of a checkout.
   *
   * @param directory where {@code libblst.so} lies
   * @throws InvalidInputException if it is not there, saying how to build it
   */
  public static Blst open(Path directory) {
    for (String name : NAMES) {
      Path file = directory.resolve(name).toAbsolutePath();
      if (Files.isRegularFile(file)) {
        return new Blst(file);
      }
    }
    throw new InvalidInputException(
        "no libblst.so in %s: a checkout of blst is expected, built with ./build.sh -shared"
            .formatted(directory));
  }

  private MemorySegment function(String name) {
    return symbols
        .find(name)
        .orElseThrow(() -> new InfrastructureException(file + " has no function " + name));
  }

  private static IllegalStateException unexpected(Throwable e) {
    return new IllegalStateException("a foreign call failed: " + e, e);
  }

  private static MemorySegment copy(Arena arena, long[] words) {
    MemorySegment to = arena.allocate(8L * words.length, 64);
    MemorySegment.copy(words, 0, to, WORD, 0, words.length);
    return to;
  }

  /** Products z[i] = z[i]·y[i] of arrays, one call of {@code blst_fp_mul} or blst_fr_mul each. */
  final class Products implements AutoCloseable {
    private final Arena memory = Arena.ofConfined();
    private final MemorySegment multiply;

    /** A function that does nothing worth mentioning, called in the same way: C's labs. */
    private final MemorySegment nothing = LINKER.defaultLookup().find("labs").orElseThrow();

    private final int elementBytes;
    private final int count;
    private final MemorySegment z;
    private final long zAddress;
    private final long yAddress;

    private Products(String function, long[] x, long[] y, int words) {
      multiply = function(function);
      elementBytes = 8 * words;
      count = x.length / words;
      z = copy(memory, x);
      zAddress = z.address();
      yAddress = copy(memory, y).address();
    }

    private void sweep(MemorySegment function, int sweeps) {
      try {
        for (int s = 0; s < sweeps; s++) {
          for (int i = 0; i < count; i++) {
            long at = (long) i * elementBytes;
            PRODUCT.invokeExact(function, zAddress + at, zAddress + at, yAddress + at);
          }
        }
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    /** Multiplies all pairs, {@code sweeps} times. */
    void multiply(int sweeps) {
      sweep(multiply, sweeps);
    }

    /** As many calls that do nothing. */
    void callOnly(int sweeps) {
      sweep(nothing, sweeps);
    }

    long[] words() {
      return z.toArray(WORD);
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  /** Products in Fp of arrays of Montgomery words. */
  Products fpProducts(long[] x, long[] y) {
    return new Products("blst_fp_mul", x, y, Fp.WORDS);
  }

  /** Products in Fr of arrays of Montgomery words. */
  Products frProducts(long[] x, long[] y) {
    return new Products("blst_fr_mul", x, y, Fr.WORDS);
  }

  /** One multi-scalar multiplication, its inputs in native memory. */
  final class MultiExp implements AutoCloseable {
    private static final long SCALAR_BITS = 255;

    private final Arena memory = Arena.ofConfined();
    private final MemorySegment pippenger;
    private final MemorySegment toAffine;
    private final int affineWords;
    private final long count;
    private final MemorySegment result;
    private final long points;
    private final long scalars;
    private final long scratch;

    private MultiExp(Group group, long[] affine, long[] canonical) {
      String prefix = group == Group.G1 ? "blst_p1" : "blst_p2";
      pippenger = function(prefix + "s_mult_pippenger");
      toAffine = function(prefix + "_to_affine");
      affineWords = group.affineWords();
      count = affine.length / affineWords;
      result = memory.allocate(8L * group.jacobianWords(), 64);
      // A list of pointers that ends with null after the first one names an array.
      points = copy(memory, new long[] {copy(memory, affine).address(), 0}).address();
      scalars = copy(memory, new long[] {copy(memory, canonical).address(), 0}).address();
      try {
        long bytes =
            (long)
                SCRATCH_SIZE.invokeExact(
                    function(prefix + "s_mult_pippenger_scratch_sizeof"), count);
        scratch = memory.allocate(bytes, 64).address();
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    void run() {
      try {
        PIPPENGER.invokeExact(
            pippenger, result.address(), points, count, scalars, SCALAR_BITS, scratch);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    /** The sum that {@link #run} left, affine. */
    long[] affine() {
      try (Arena here = Arena.ofConfined()) {
        MemorySegment out = here.allocate(8L * affineWords, 64);
        TO_AFFINE.invokeExact(toAffine, out.address(), result.address());
        return out.toArray(WORD);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  /** The sum of scalars (canonical words) times points (affine Montgomery words). */
  MultiExp multiExp(Group group, long[] affine, long[] canonical) {
    return new MultiExp(group, affine, canonical);
  }

  @Override
  public void close() {
    arena.close();
  }
}
