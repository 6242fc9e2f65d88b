package io.cuzk.lanes;

import io.cuzk.field.Arithmetic;

/**
 * The provider {@code lanes}: eight independent multiplications at once in the lanes of 512-bit
 * vectors, or of two 256-bit ones. Needs the module {@code jdk.incubator.vector} and a CPU with FMA
 * and vectors of at least 256 bits.
 */
public final class LaneSource implements Arithmetic.Source {
  /** System property that narrows the vectors: 4 or 8 doubles. */
  public static final String LANES_PROPERTY = "cuzk.lanes";

  private static final String MODULE = "jdk.incubator.vector";
  private static LaneArithmetic instance;

  /** For the service loader. */
  public LaneSource() {}

  @Override
  public String name() {
    return LaneArithmetic.NAME;
  }

  @Override
  public Arithmetic create() throws Arithmetic.Unavailable {
    synchronized (LaneSource.class) {
      if (instance == null) {
        instance = new LaneArithmetic(Warmup.of(lanes()));
      }
      return instance;
    }
  }

  private static int lanes() throws Arithmetic.Unavailable {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      throw new Arithmetic.Unavailable(
          "the module " + MODULE + " is absent", "start Java with --add-modules " + MODULE);
    }
    int widest = widest();
    String forced = System.getProperty(LANES_PROPERTY, "");
    int lanes = widest >= 8 ? 8 : widest;
    if (!forced.isEmpty()) {
      if (!forced.equals("4") && !forced.equals("8")) {
        throw new Arithmetic.Unavailable(
            "-D%s=%s asks for no vector there is".formatted(LANES_PROPERTY, forced),
            "it may be 4 or 8");
      }
      lanes = Integer.parseInt(forced);
    }
    if (lanes < 4 || lanes > widest) {
      throw new Arithmetic.Unavailable(
          "the widest vectors here have %d doubles".formatted(widest),
          "a CPU with AVX2 or AVX-512 is needed, and Java must not narrow it by -XX:MaxVectorSize"
              + " or -XX:UseAVX");
    }
    return lanes;
  }

  /** Doubles of the widest vector. */
  static int widest() {
    return Widest.LANES;
  }

  /** Loaded only where the module is. */
  private static final class Widest {
    static final int LANES = jdk.incubator.vector.DoubleVector.SPECIES_PREFERRED.length();
  }
}
