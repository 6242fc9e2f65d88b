package io.cuzk.notebooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The notebooks as a user runs them: by bin/notebook and Jupyter with the project's kernel, to HTML
 * under target/html. Skipped, saying so, where Debian's python3-nbconvert is not; under CI that
 * fails.
 */
class NotebooksTest {
  private static final Path HERE = Path.of("").toAbsolutePath();

  private record Ended(int code, String output) {}

  private static Ended run(List<String> command) throws Exception {
    Path log = Files.createTempFile("notebook", ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    if (!process.waitFor(10, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new IOException(command + " did not end: " + Files.readString(log));
    }
    return new Ended(process.exitValue(), Files.readString(log));
  }

  private static void assumeJupyter() throws Exception {
    boolean there =
        Files.isExecutable(Path.of("/usr/bin/python3"))
            && run(List.of("/usr/bin/python3", "-c", "import nbconvert, jupyter_client")).code()
                == 0;
    if (!there) {
      String message =
          "python3-nbconvert is not installed (apt install python3-nbconvert jupyter-notebook): the"
              + " notebooks were not executed by Jupyter";
      if ("true".equals(System.getenv("CI"))) {
        throw new AssertionError(message);
      }
      Assumptions.abort(message);
    }
  }

  @Test
  void everyNotebookRunsWithoutAnErrorAndBecomesAPage() throws Exception {
    assumeJupyter();
    Path html = HERE.resolve("target/html");
    Ended ended = run(List.of(HERE.resolve("bin/notebook").toString(), "--html", html.toString()));
    assertThat(ended.code()).as(ended.output()).isZero();
    try (Stream<Path> files = Files.list(HERE)) {
      List<Path> notebooks =
          files.filter(file -> file.toString().endsWith(".ipynb")).sorted().toList();
      assertThat(notebooks).hasSize(5);
      for (Path notebook : notebooks) {
        String page =
            Files.readString(
                html.resolve(notebook.getFileName().toString().replace(".ipynb", ".html")));
        assertThat(page).as(notebook.toString()).contains("data:image/png;base64,", "<table");
        assertThat(page)
            .doesNotContain("jp-RenderedText\" data-mime-type=\"application/vnd.jupyter.stderr");
      }
    }
  }

  @Test
  void aNotebookOpensWithAUsersRun(@TempDir Path directory) throws Exception {
    assumeJupyter();
    Path run = directory.resolve("my run");
    SyntheticRun.write(run, 20, 3, 0);
    Ended ended =
        run(
            List.of(
                HERE.resolve("bin/notebook").toString(),
                "--html",
                directory.resolve("html").toString(),
                run.toString(),
                "2-timeline.ipynb"));
    assertThat(ended.code()).as(ended.output()).isZero();
    assertThat(Files.readString(directory.resolve("html/2-timeline.html")))
        .contains("my run", "host0 executor 2", "data:image/png;base64,");
  }

  @Test
  void aCellThatFailsFailsTheRun(@TempDir Path directory) throws Exception {
    assumeJupyter();
    Path notebook = HERE.resolve("target/fails.ipynb");
    Files.writeString(
        notebook,
        """
        {"cells": [{"cell_type": "code", "id": "a", "metadata": {}, "execution_count": null,
           "outputs": [], "source": "int x = 1 / 0;"}],
         "metadata": {"kernelspec": {"name": "cuzk-java", "display_name": "Java"}},
         "nbformat": 4, "nbformat_minor": 5}
        """);
    Ended ended =
        run(
            List.of(
                "bash",
                "-c",
                "eval \"$('"
                    + HERE.resolve("bin/notebook")
                    + "' --install)\" && exec"
                    + " /usr/bin/python3 -m nbconvert --to html --execute --output-dir '"
                    + directory
                    + "' '"
                    + notebook
                    + "'"));
    assertThat(ended.code()).isNotZero();
    assertThat(ended.output()).contains("java.lang.ArithmeticException: / by zero");
  }

  @Test
  void aRunThatIsNotThereIsAUsageError() throws Exception {
    Ended ended =
        run(List.of(HERE.resolve("bin/notebook").toString(), "--html", "/tmp", "/no/run"));
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.output()).contains("/no/run does not exist");
  }
}
