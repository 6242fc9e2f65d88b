package io.cuzk.submit;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A distribution as Maven assembles one later in the build, from this JVM's class path and flags.
 */
final class TestDistribution {
  private TestDistribution() {}

  /** Assembles it. The tests of this module stay out; the faults of {@code jobs} come along. */
  static Path assemble(Path distribution) throws IOException {
    Path lib = Files.createDirectories(distribution.resolve("lib"));
    Files.createSymbolicLink(distribution.resolve("conf"), Path.of("conf").toAbsolutePath());
    int number = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry).toAbsolutePath();
      number++;
      if (Files.isDirectory(path) && !isOwnTests(path)) {
        jar(path, lib.resolve(number + "-classes.jar"));
      } else if (Files.isRegularFile(path)) {
        Files.createSymbolicLink(lib.resolve(number + "-" + path.getFileName()), path);
      }
    }
    Files.write(distribution.resolve("jvm.options"), flags());
    return distribution;
  }

  private static boolean isOwnTests(Path classes) {
    return Files.exists(classes.resolve("io/cuzk/submit/TestDistribution.class"));
  }

  /** The flags that Spark needs on this JDK. */
  static List<String> flags() {
    List<String> flags = new ArrayList<>();
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("--") || flag.startsWith("-Dio.netty") || flag.startsWith("-Djdk.")) {
        flags.add(flag);
      }
    }
    return flags;
  }

  private static void jar(Path classes, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out);
        Stream<Path> all = Files.walk(classes)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        jar.putNextEntry(new JarEntry(classes.relativize(each).toString()));
        Files.copy(each, jar);
        jar.closeEntry();
      }
    }
  }
}
