package io.cuzk.lanes;

import io.cuzk.field.Arithmetic;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;

/** The lane provider of either width, warmed up once a JVM; a test that asks is skipped without. */
public final class Lanes {
  private static final Map<Integer, Arithmetic> MADE = new ConcurrentHashMap<>();

  private Lanes() {}

  /** With the machine's widest vectors, 8 or 4 doubles. */
  public static Arithmetic widest() {
    return of(LaneSource.widest() >= 8 ? 8 : 4);
  }

  /** With vectors of 4 or 8 doubles. */
  public static Arithmetic of(int lanes) {
    Assumptions.assumeTrue(
        LaneSource.widest() >= lanes, "this machine has no vectors of %d doubles".formatted(lanes));
    return MADE.computeIfAbsent(
        lanes,
        n -> {
          try {
            return new LaneArithmetic(Warmup.of(n));
          } catch (Arithmetic.Unavailable e) {
            throw new AssertionError(e.getMessage() + "; " + e.remedy(), e);
          }
        });
  }
}
