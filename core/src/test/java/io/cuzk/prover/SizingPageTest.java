package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The formula of docs/operations.md gives what the code computes. */
class SizingPageTest {
  private static final Pattern BUDGET =
      Pattern.compile("budget = min\\(([0-9.]+) · heap, limit − ([0-9]+) MiB − ring\\)");
  private static final Pattern PARTITION =
      Pattern.compile("partition = assignment \\+ ([0-9]+) B · domain");

  private static Matcher find(Pattern pattern) throws IOException {
    String page = Files.readString(Path.of("../docs/operations.md"));
    Matcher found = pattern.matcher(page);
    assertThat(found.find()).as("docs/operations.md has %s", pattern).isTrue();
    return found;
  }

  @Test
  void theBudget() throws IOException {
    Matcher page = find(BUDGET);
    double part = Double.parseDouble(page.group(1));
    long outside = Long.parseLong(page.group(2)) << 20;
    long gib = 1L << 30;
    for (long heap : new long[] {gib, 3 * gib, 12 * gib, 100 * gib}) {
      for (long limit : new long[] {2 * gib, 13 * gib, 1024 * gib}) {
        for (long ring : new long[] {0, 13 << 20}) {
          long said = Math.min((long) (part * heap), limit - outside - ring);
          assertThat(MemoryBudget.of(heap, new MemoryLimit(limit, "x"), ring).total())
              .isEqualTo(said);
        }
      }
    }
  }

  @Test
  void aPartitionOnTheCpu() throws IOException {
    long each = Long.parseLong(find(PARTITION).group(1));
    for (long domain : new long[] {1, 1 << 21, 1L << 27}) {
      assertThat(new CpuBackend.Provider().heapBytes(domain)).isEqualTo(each * domain);
    }
  }
}
