package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * What the PTX becomes on an H200, as the compiler inside JCuda's natives (12.0) assembles it,
 * which needs no GPU: not worse than what the lock file records. {@code -Dptx.quality.write=true}
 * records what it finds.
 */
class PtxQualityTest {
  private static final double TOLERANCE = 1.03;

  /** Instructions of the same kernels in the study that these followed. */
  private static final Map<String, Integer> STUDIED = Map.of("fp_mul", 419, "fr_mul", 225);

  @Test
  void kernelsAreAsGoodAsRecorded() throws Exception {
    assumeTrue(compilerLoads(), "JCuda's PTX compiler has no library for this machine");
    Map<String, Cubin.Figures> found = new TreeMap<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      List<Future<Map<String, Cubin.Figures>>> all = new ArrayList<>();
      for (String module : CubinAssembler.MODULES) {
        all.add(pool.submit(() -> assemble(module)));
      }
      for (Future<Map<String, Cubin.Figures>> some : all) {
        found.putAll(some.get());
      }
    }
    if (Boolean.getBoolean("ptx.quality.write")) {
      write(found);
    }
    Map<String, Cubin.Figures> recorded = recorded();
    assertThat(found.keySet())
        .as("kernels; -Dptx.quality.write=true records them")
        .isEqualTo(recorded.keySet());
    recorded.forEach(
        (name, best) -> {
          Cubin.Figures now = found.get(name);
          assertThat(now.spills()).as("bytes that %s spills", name).isZero();
          assertNotWorse(name, "registers", now.registers(), best.registers());
          assertNotWorse(name, "instructions", now.instructions(), best.instructions());
          assertNotWorse(name, "IMAD.WIDE", now.wide(), best.wide());
        });
    STUDIED.forEach(
        (name, most) ->
            assertThat((double) found.get(name).instructions())
                .as("instructions of %s", name)
                .isLessThanOrEqualTo(1.05 * most));
  }

  private static void assertNotWorse(String kernel, String what, int now, int best) {
    assertThat((double) now)
        .as("%s of %s, recorded %d", what, kernel, best)
        .isLessThanOrEqualTo(TOLERANCE * best);
  }

  private static boolean compilerLoads() {
    try {
      return CubinAssembler.version()[0] > 0;
    } catch (LinkageError e) {
      return false;
    }
  }

  private static Map<String, Cubin.Figures> assemble(String module) throws Exception {
    String ptx = Files.readString(KernelsLockTest.RESOURCES.resolve(module + ".ptx"));
    CubinAssembler.Assembled made = CubinAssembler.assemble(ptx, "sm_90");
    return Cubin.read(made.cubin(), made.log());
  }

  private static Map<String, Cubin.Figures> recorded() throws Exception {
    Map<String, Cubin.Figures> recorded = new TreeMap<>();
    for (String line : Files.readAllLines(KernelsLockTest.LOCK)) {
      if (line.startsWith("kernel ")) {
        String[] words = line.split(" ");
        recorded.put(
            words[1],
            new Cubin.Figures(
                number(words[2]), number(words[3]), number(words[4]), number(words[5])));
      }
    }
    return recorded;
  }

  private static int number(String field) {
    return Integer.parseInt(field.substring(field.indexOf('=') + 1));
  }

  private static void write(Map<String, Cubin.Figures> found) throws Exception {
    List<String> lines = new ArrayList<>(Files.readAllLines(KernelsLockTest.LOCK));
    lines.removeIf(line -> line.startsWith("kernel "));
    found.forEach(
        (name, of) ->
            lines.add(
                "kernel %s registers=%d instructions=%d wide=%d spills=%d"
                    .formatted(name, of.registers(), of.instructions(), of.wide(), of.spills())));
    Files.write(KernelsLockTest.LOCK, lines);
  }
}
