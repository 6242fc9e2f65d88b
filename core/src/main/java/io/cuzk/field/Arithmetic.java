package io.cuzk.field;

import io.cuzk.CuzkException;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The provider of bulk arithmetic: how vectors of scalars and of points lie in memory, and the
 * kernels that run over them. Everything heavy (transforms, multi-scalar multiplication) obtains
 * its storage and its kernels here and never looks inside, so that a provider may store limbs as
 * doubles, eight elements a group, without a caller changing.
 *
 * <p>A provider consists of five objects: {@link FrVector}, {@link FrTransform}, {@link FpVector},
 * {@link AffineVector} and {@link AffineAdder}. The <em>scalar</em> provider, which is always
 * there, works on 64-bit words. Others are found through {@link ServiceLoader} as {@link Source}s
 * named in {@code META-INF/services/io.cuzk.field.Arithmetic$Source}.
 *
 * <p>One provider is chosen once per JVM by {@link #current()} and logged with the reason and, if a
 * better one is missing, the remedy. The system property {@value #PROPERTY} forces it: {@code
 * scalar} or {@code lanes}; a forced provider that cannot run is an error and never a fallback.
 * Tests and benchmarks take particular ones by {@link #named}.
 *
 * <p>Instances are thread-safe and live as long as the JVM. All providers give the same values, bit
 * for bit, wherever a value leaves their storage.
 */
public abstract class Arithmetic {
  /** System property that forces the provider. */
  public static final String PROPERTY = "cuzk.arithmetic";

  /** Providers made so far, by name. */
  private static final Map<String, Arithmetic> MADE = new HashMap<>();

  private static final Logger LOG = LoggerFactory.getLogger(Arithmetic.class);

  /**
   * A way to make a provider. Its class must load on every machine: whatever may be missing (a
   * module, an instruction set) is touched inside {@link #create} only.
   */
  public interface Source {
    /** The name that {@value Arithmetic#PROPERTY} forces it by, such as {@code lanes}. */
    String name();

    /**
     * Makes the provider, or says why it cannot run here. Not called again once it has succeeded;
     * may take seconds (warm-up). A LinkageError counts as an absent vector module.
     *
     * @throws Unavailable with the reason and the remedy
     */
    Arithmetic create() throws Unavailable;
  }

  /** Why a provider cannot run in this JVM, and what to do about it. */
  public static final class Unavailable extends Exception {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    /** A reason ("module jdk.incubator.vector is absent") and a remedy ("pass --add-modules …"). */
    public Unavailable(String reason, String remedy) {
      super(reason);
      this.remedy = remedy;
    }

    /** What the user can do. */
    public String remedy() {
      return remedy;
    }
  }

  /** Not a class's initializer: its errors would lose their type, and the second one its reason. */
  private static volatile Arithmetic current;

  /** For providers. */
  protected Arithmetic() {}

  /**
   * The provider of this JVM, chosen on the first call.
   *
   * @throws InfrastructureException if {@value #PROPERTY} forces one that cannot run here
   */
  public static Arithmetic current() {
    Arithmetic found = current;
    if (found == null) {
      synchronized (MADE) {
        found = current;
        if (found == null) {
          found = choose(System.getProperty(PROPERTY, ""), sources());
          current = found;
        }
      }
    }
    return found;
  }

  /**
   * Chooses the provider on a thread of its own, so that its kernels are compiled while something
   * else is read or opened; {@link #current} then waits for the rest. What goes wrong is told
   * there.
   */
  public static void prepare() {
    if (current != null) {
      return;
    }
    Thread thread =
        new Thread(
            () -> {
              try {
                current();
              } catch (CuzkException e) {
                LOG.debug("arithmetic", e); // thrown again to whoever computes
              }
            },
            "cuzk-arithmetic");
    thread.setDaemon(true);
    thread.start();
  }

  /** The provider on 64-bit words. */
  public static Arithmetic scalar() {
    return ScalarArithmetic.INSTANCE;
  }

  /**
   * The provider of that name, whatever the property says; one instance per JVM.
   *
   * @throws InvalidInputException if there is none of that name
   * @throws InfrastructureException if it cannot run here, with reason and remedy
   */
  public static Arithmetic named(String name) {
    return named(name, sources());
  }

  static Arithmetic named(String name, List<Source> sources) {
    if (name.equals(ScalarArithmetic.NAME)) {
      return scalar();
    }
    List<String> names = new ArrayList<>(List.of(ScalarArithmetic.NAME));
    for (Source source : sources) {
      if (source.name().equals(name)) {
        try {
          return make(source);
        } catch (Unavailable e) {
          throw new InfrastructureException(
              "arithmetic %s cannot run here: %s; %s, or choose -D%s=%s"
                  .formatted(name, e.getMessage(), e.remedy(), PROPERTY, ScalarArithmetic.NAME),
              e);
        }
      }
      names.add(source.name());
    }
    throw new InvalidInputException(
        "no arithmetic named \"%s\" in this build: -D%s may be one of %s"
            .formatted(name, PROPERTY, names));
  }

  /** The forced provider, else the first source's that can run, else the scalar one. */
  static Arithmetic choose(String forced, List<Source> sources) {
    if (!forced.isEmpty()) {
      Arithmetic found = named(forced, sources);
      LOG.info("arithmetic: {} (forced by -D{})", found.name(), PROPERTY);
      return found;
    }
    List<String> missing = new ArrayList<>();
    for (Source source : sources) {
      try {
        Arithmetic found = make(source);
        LOG.info("arithmetic: {} (this machine can run it)", found.name());
        return found;
      } catch (Unavailable e) {
        missing.add(
            "%s cannot run here: %s; %s".formatted(source.name(), e.getMessage(), e.remedy()));
      }
    }
    if (missing.isEmpty()) {
      LOG.info("arithmetic: {} (the only one in this build)", ScalarArithmetic.NAME);
    } else { // several times slower, so whoever waits for it must see why
      LOG.warn("arithmetic: {} ({})", ScalarArithmetic.NAME, String.join("; ", missing));
    }
    return scalar();
  }

  private static Arithmetic make(Source source) throws Unavailable {
    synchronized (MADE) {
      Arithmetic found = MADE.get(source.name());
      if (found == null) {
        try {
          found = source.create();
        } catch (LinkageError e) {
          throw new Unavailable(e.toString(), "start Java with --add-modules jdk.incubator.vector");
        }
        MADE.put(source.name(), found);
      }
      return found;
    }
  }

  private static List<Source> sources() {
    List<Source> found = new ArrayList<>();
    try {
      ServiceLoader.load(Source.class, Arithmetic.class.getClassLoader()).forEach(found::add);
    } catch (ServiceConfigurationError e) {
      LOG.warn("arithmetic providers: {}", e.getMessage());
    }
    return found;
  }

  /** {@code scalar}, {@code lanes}. */
  public abstract String name();

  /**
   * A vector of {@code size} zeros.
   *
   * @throws IllegalArgumentException if size is negative or above {@link FrVector#MAX_SIZE}
   */
  public abstract FrVector allocate(long size);

  /**
   * The transform of size 2^logSize, made on the first call (tables included) and kept.
   *
   * @throws IllegalArgumentException if logSize is not in 0…28
   */
  public abstract FrTransform transform(int logSize);

  /**
   * A vector of {@code size} zeros of the base field.
   *
   * @throws IllegalArgumentException if that many elements do not fit one array
   */
  public abstract FpVector allocateFp(int size);

  /**
   * Room for {@code size} affine points with coordinates in {@code field}, all infinity.
   *
   * @throws IllegalArgumentException if that many points do not fit one array
   */
  public abstract AffineVector allocatePoints(CoordinateField field, int size);

  /**
   * A batch adder, with its scratch memory: one per thread.
   *
   * @param maxBatch the largest n that will be passed to {@link AffineAdder#add}
   */
  public abstract AffineAdder adder(CoordinateField field, int maxBatch);

  /**
   * The number of additions that best share one inversion: large enough to drown it, small enough
   * for the operands to stay in the core's cache.
   */
  public abstract int preferredBatch(CoordinateField field);
}
