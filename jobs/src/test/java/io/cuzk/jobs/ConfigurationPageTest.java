package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code docs/configuration.md} says what the keys say. */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("../docs/configuration.md");

  private static final String BEFORE =
      """
      # Configuration

      Every key of this program. Set one with `--conf KEY=VALUE`, or in a properties file of spark-submit; an option of a
      command (`--backend`, `--synthesis`) wins over both. Unknown keys and values that cannot be read are refused, with the
      nearest name, before anything runs. `run.json` records what was in force. Spark's own keys are Spark's; those that
      matter here are in `submit/conf/*.conf`.

      | key | default | meaning |
      |---|---|---|
      """;

  private static final String AFTER =
      """

      Made from `CuzkConf` by `mvn -pl jobs -am test -Dtest=ConfigurationPageTest -Dcuzk.docs.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`; without the switch the same test compares.
      """;

  private static String page() {
    StringBuilder page = new StringBuilder(BEFORE);
    for (CuzkConf.Key<?> key : CuzkConf.KEYS) {
      page.append("| `%s` | `%s` | %s |\n".formatted(key.name(), key.byDefault(), key.doc()));
    }
    return page.append(AFTER).toString();
  }

  @Test
  void thePageIsTheKeys() throws IOException {
    if (Boolean.getBoolean("cuzk.docs.write")) {
      Files.writeString(PAGE, page());
    }
    assertThat(PAGE).hasContent(page());
    assertThat(CuzkConf.KEYS)
        .extracting(CuzkConf.Key::name)
        .isSorted()
        .doesNotHaveDuplicates()
        .allMatch(name -> name.startsWith(CuzkConf.PREFIX));
    assertThat(CuzkConf.KEYS).allSatisfy(key -> assertThat(key.doc()).endsWith("."));
  }
}
