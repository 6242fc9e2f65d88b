package io.cuzk.submit;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs this command again in a JVM of its own, with this one's options. */
final class SeparateJvm {
  private static final ObjectMapper JSON = new ObjectMapper();

  private SeparateJvm() {}

  /** The figures of the one variant that the words name; its progress goes to this stderr. */
  static Map<String, Object> bench(Common common, List<String> words) {
    Map<String, Object> object = run(common, words);
    Object error = object.get("error");
    if (error != null) {
      if (Integer.valueOf(ExitCode.BAD_INPUT).equals(object.get("exit_code"))) {
        throw new InvalidInputException(error.toString());
      }
      throw new InfrastructureException(error.toString());
    }
    return JSON.convertValue(
        ((List<?>) object.get("variants")).getFirst(), new TypeReference<>() {});
  }

  /**
   * A run of its own.
   *
   * @throws InvalidInputException or another failure of its kind if a sector of it did not verify
   */
  static void prove(Common common, List<String> words) {
    Map<String, Object> object = run(common, words);
    Object failed = object.get("failed");
    if (object.containsKey("error") || !Integer.valueOf(0).equals(failed)) {
      String reason =
          object.containsKey("error")
              ? object.get("error").toString()
              : failed + " sectors failed: " + object.get("sectors");
      String message = "the run 'cuzk " + String.join(" ", words) + "' failed: " + reason;
      throw Integer.valueOf(ExitCode.BAD_INPUT).equals(object.get("exit_code"))
          ? new InvalidInputException(message)
          : new InfrastructureException(message);
    }
  }

  private static Map<String, Object> run(Common common, List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Cuzk.class.getName());
    command.addAll(words);
    Process process = null;
    try {
      process = new ProcessBuilder(command).start();
      process.getOutputStream().close();
      InputStream errors = process.getErrorStream();
      Thread notes = Thread.ofVirtual().start(() -> forward(errors, common));
      byte[] out = process.getInputStream().readAllBytes();
      int code = process.waitFor();
      notes.join();
      if (out.length == 0) {
        throw new InfrastructureException(
            "a JVM started for one variant ended with " + code + " and said nothing: " + command);
      }
      return JSON.readValue(out, new TypeReference<>() {});
    } catch (IOException e) {
      throw new InfrastructureException("cannot run " + command + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("interrupted while a variant was measured", e);
    } finally {
      if (process != null) {
        process.destroy();
      }
    }
  }

  private static void forward(InputStream in, Common common) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      lines
          .lines()
          .filter(line -> !line.startsWith("WARNING: Using incubator"))
          .forEach(common::note);
    } catch (IOException e) {
      common.note("cuzk: " + e);
    }
  }
}
