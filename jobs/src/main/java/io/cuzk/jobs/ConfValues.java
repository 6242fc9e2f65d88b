package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values of {@link CuzkConf}'s keys as they are written. Each throws IllegalArgumentException with
 * what is expected.
 */
final class ConfValues {
  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?)\\s*([kmgt])(?:ib|b)?");
  private static final Pattern ADDRESS = Pattern.compile("(?:([A-Za-z0-9.-]+):)?(\\d{1,5})");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|min|h|d)");

  private ConfValues() {}

  static Optional<InetSocketAddress> address(String value) {
    if (value.equals("off")) {
      return Optional.empty();
    }
    Matcher written = ADDRESS.matcher(value);
    if (!written.matches() || Integer.parseInt(written.group(2)) > 65_535) {
      throw new IllegalArgumentException("HOST:PORT, a port of 0 to 65535, or off is expected");
    }
    String host = written.group(1) == null ? "127.0.0.1" : written.group(1);
    return Optional.of(new InetSocketAddress(host, Integer.parseInt(written.group(2))));
  }

  /** A size in bytes: a number, perhaps with a fraction, and a binary unit. */
  static Long size(String value) {
    Matcher written = SIZE.matcher(value.toLowerCase(Locale.ROOT));
    if (!written.matches()) {
      throw new IllegalArgumentException(
          "auto, or a number with a unit (KiB, MiB, GiB or TiB; k, m, g or t mean the same) is"
              + " expected, for example 1.5GiB");
    }
    int shift = 10 * ("kmgt".indexOf(written.group(2)) + 1);
    double bytes = Double.parseDouble(written.group(1)) * (1L << shift);
    if (bytes < 1 << 20 || bytes > 1L << 50) {
      throw new IllegalArgumentException("1MiB to 1024TiB is expected");
    }
    return (long) bytes;
  }

  static String localDirectory(String value) {
    if (!value.startsWith("/") && !value.startsWith("~/")) {
      throw new IllegalArgumentException(
          "an absolute path, or one that begins with ~/, is expected");
    }
    return value;
  }

  static String shape(String value) {
    if (!value.equals("none")) {
      try {
        CustomShape.parse(value);
      } catch (InvalidInputException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
    }
    return value;
  }

  /** The usual names, and those of other providers on the class path. */
  static String backend(String value) {
    List<String> names = new ArrayList<>(List.of(ProverBackends.AUTO, "cpu", "cuda"));
    ProverBackends.providers().stream()
        .map(ProverBackendProvider::name)
        .filter(name -> !names.contains(name))
        .forEach(names::add);
    return oneOf(names.toArray(String[]::new)).apply(value);
  }

  static Integer number(String value, int least, int most) {
    int number;
    try {
      number = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("a whole number is expected", e);
    }
    if (number < least || number > most) {
      throw new IllegalArgumentException(least + " to " + most + " is expected");
    }
    return number;
  }

  /** As Spark writes durations, but never without a unit. */
  static Duration duration(String value, Duration least) {
    Matcher written = DURATION.matcher(value.toLowerCase(Locale.ROOT));
    if (!written.matches()) {
      throw new IllegalArgumentException(
          "a whole number with a unit (ms, s, m, min, h or d) is expected, for example 30s");
    }
    long count = Long.parseLong(written.group(1));
    Duration duration =
        switch (written.group(2)) {
          case "ms" -> Duration.ofMillis(count);
          case "s" -> Duration.ofSeconds(count);
          case "m", "min" -> Duration.ofMinutes(count);
          case "h" -> Duration.ofHours(count);
          default -> Duration.ofDays(count);
        };
    if (duration.compareTo(least) < 0) {
      throw new IllegalArgumentException("at least " + least.toMillis() + "ms is expected");
    }
    return duration;
  }

  static Function<String, String> oneOf(String... allowed) {
    List<String> names = List.of(allowed);
    return value -> {
      if (!names.contains(value)) {
        throw new IllegalArgumentException(
            "one of " + String.join(", ", names) + " is expected" + NearestName.hint(value, names));
      }
      return value;
    };
  }
}
