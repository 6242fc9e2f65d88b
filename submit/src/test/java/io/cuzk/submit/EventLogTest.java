package io.cuzk.submit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What bin/cuzk-submit tells spark-submit of the event log; a script stands in for that one. */
class EventLogTest {
  @TempDir private Path temp;

  @BeforeEach
  void standIn() throws IOException {
    Path bin = Files.createDirectories(temp.resolve("spark/bin"));
    Path script = bin.resolve("spark-submit");
    Files.writeString(script, "#!/bin/sh\nfor word; do echo \"$word\"; done\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    // the script lies beside what the build made; here a jar that nobody reads
    Files.createDirectories(temp.resolve("submit/target/cuzk"));
    Files.writeString(temp.resolve("submit/target/cuzk/cuzk-spark-submit.jar"), "");
    Files.createDirectories(temp.resolve("submit/bin"));
    Files.createDirectories(temp.resolve("submit/conf"));
    Files.copy(Path.of("bin/cuzk-submit"), temp.resolve("submit/bin/cuzk-submit"));
    for (String kind : List.of("local", "standalone", "yarn", "k8s")) {
      Files.copy(
          Path.of("conf", kind + ".conf"), temp.resolve("submit/conf").resolve(kind + ".conf"));
    }
  }

  /** Spark's own default is two executors, and no word about it. */
  @Test
  void theTemplatesOfManagersThatStartExecutorsSayHowMany() throws IOException {
    for (String kind : List.of("yarn", "k8s")) {
      Properties conf = new Properties();
      try (var in = Files.newBufferedReader(Path.of("conf", kind + ".conf"))) {
        conf.load(in);
      }
      assertThat(conf).as(kind).containsKey("spark.executor.instances");
    }
  }

  private record Ended(int code, List<String> words) {}

  private Ended submit(String master, Map<String, String> environment) throws Exception {
    Path out = temp.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(
                "bash", temp.resolve("submit/bin/cuzk-submit").toString(), master, "prove", "--x")
            .redirectErrorStream(false)
            .redirectError(temp.resolve("err").toFile())
            .redirectOutput(out.toFile());
    builder.environment().remove("CUZK_EVENT_LOG");
    builder.environment().remove("CUZK_SPARK_CONF");
    builder.environment().remove("XDG_STATE_HOME");
    builder.environment().put("HOME", temp.resolve("home").toString());
    builder.environment().put("SPARK_HOME", temp.resolve("spark").toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    int code = builder.start().waitFor();
    return new Ended(code, Files.readAllLines(out));
  }

  private static List<String> events(Ended ended) {
    assertThat(ended.code()).isZero();
    List<String> found = new ArrayList<>(ended.words());
    found.removeIf(word -> !word.startsWith("spark.eventLog."));
    return found;
  }

  @Test
  void itIsOnAndItsDirectoryIsThere() throws Exception {
    Path directory = temp.resolve("home/.local/state/cuzk/events");
    for (String master : List.of("local[2]", "spark://h:7077", "yarn", "k8s://https://h:6443")) {
      assertThat(events(submit(master, Map.of())))
          .as(master)
          .containsExactly(
              "spark.eventLog.enabled=true",
              "spark.eventLog.dir=file://" + directory,
              "spark.eventLog.compress=true");
    }
    assertThat(directory).isDirectory();
  }

  @Test
  void oneVariableMovesItOrTurnsItOff() throws Exception {
    Path other = temp.resolve("logs of mine");
    assertThat(events(submit("yarn", Map.of("CUZK_EVENT_LOG", other.toString()))))
        .contains("spark.eventLog.dir=file://" + other);
    assertThat(other).isDirectory();
    Path third = temp.resolve("third");
    assertThat(events(submit("yarn", Map.of("CUZK_EVENT_LOG", "file://" + third))))
        .contains("spark.eventLog.dir=file://" + third);
    assertThat(third).isDirectory();
    assertThat(events(submit("yarn", Map.of("CUZK_EVENT_LOG", "hdfs://nn/events"))))
        .contains("spark.eventLog.dir=hdfs://nn/events");
    assertThat(events(submit("yarn", Map.of("CUZK_EVENT_LOG", "off"))))
        .containsExactly("spark.eventLog.enabled=false");
    Files.writeString(temp.resolve("a file"), "");
    Path under = temp.resolve("a file/events");
    assertThat(submit("yarn", Map.of("CUZK_EVENT_LOG", under.toString())).code()).isEqualTo(5);
    assertThat(temp.resolve("err")).content().contains(under.toString(), "or to off");
  }

  @Test
  void whatAPropertiesFileSaysOfItWins() throws Exception {
    Path conf = temp.resolve("own.conf");
    Files.writeString(conf, "spark.eventLog.enabled true\nspark.eventLog.dir hdfs://nn/e\n");
    Map<String, String> own = Map.of("CUZK_SPARK_CONF", conf.toString());
    assertThat(events(submit("yarn", own))).isEmpty();
    Files.writeString(conf, "spark.eventLog.enabled=false\n");
    assertThat(events(submit("yarn", own))).isEmpty();
    Files.writeString(conf, "# spark.eventLog.dir hdfs://nn/e\n");
    assertThat(events(submit("yarn", own))).contains("spark.eventLog.enabled=true");
  }
}
