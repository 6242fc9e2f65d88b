package io.cuzk.porep;

import io.cuzk.circuit.CompiledCircuit;
import io.cuzk.gadget.Bool;
import io.cuzk.hash.Poseidon;
import io.cuzk.r1cs.ConstraintSystem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Identifies the code that describes and compiles circuits, by the SHA-256 of its class files: all
 * of the gadgets, constraint systems, hashes and the compiler, and the circuit itself. A compiled
 * circuit of other code may have other rows.
 */
public final class CircuitCode {
  private static final List<Class<?>> PACKAGES =
      List.of(Bool.class, ConstraintSystem.class, Poseidon.class, CompiledCircuit.class);
  private static final List<Class<?>> CLASSES =
      List.of(StackedCircuit.class, ChallengeCircuit.class, SectorShape.class);

  private CircuitCode() {}

  private static final class Holder {
    static final String DIGEST = compute();
  }

  /** The digest in lower-case hex; computed once, in some hundredths of a second. */
  public static String digest() {
    return Holder.DIGEST;
  }

  /** What identifies the circuit of a shape: equal texts mean equal rows. */
  public static String name(SectorShape shape) {
    return "stacked %d bytes, tree %s, %d layers, %d challenges"
        .formatted(
            shape.sectorBytes(), shape.tree(), shape.layers(), shape.challengesPerPartition());
  }

  private static String compute() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Class<?> anchor : PACKAGES) {
        for (String name : classFiles(anchor)) {
          update(digest, anchor, name);
        }
      }
      for (Class<?> type : CLASSES) {
        update(digest, type, type.getSimpleName() + ".class");
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read this program's own classes", e);
    }
  }

  private static void update(MessageDigest digest, Class<?> anchor, String name)
      throws IOException {
    try (InputStream in = anchor.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(anchor.getPackageName() + ": no " + name);
      }
      byte[] bytes = in.readAllBytes();
      digest.update((name + " " + bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
      digest.update(bytes);
    }
  }

  /** The names of the class files of a class's package, in order. */
  static List<String> classFiles(Class<?> anchor) throws IOException {
    URL url = anchor.getResource(anchor.getSimpleName() + ".class");
    URLConnection connection = url.openConnection();
    if (connection instanceof JarURLConnection jar) {
      String folder = anchor.getPackageName().replace('.', '/') + "/";
      jar.setUseCaches(false);
      try (JarFile file = jar.getJarFile()) {
        return file.stream()
            .map(entry -> entry.getName())
            .filter(name -> name.startsWith(folder) && name.endsWith(".class"))
            .map(name -> name.substring(folder.length()))
            .filter(name -> name.indexOf('/') < 0)
            .sorted()
            .toList();
      }
    }
    try (Stream<Path> files = Files.list(Path.of(new URI(url.toString())).getParent())) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(name -> name.endsWith(".class"))
          .sorted()
          .toList();
    } catch (URISyntaxException e) {
      throw new IOException("classes lie in " + url, e);
    }
  }
}
