package io.cuzk.groth16;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import io.cuzk.field.Fr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * The secrets of a parameter generation, α, β, γ, δ, τ, and the generators that all points are
 * multiples of. Who knows them can forge proofs: {@link #random} draws them from {@link
 * SecureRandom}, and {@link #close} overwrites them. Not thread-safe.
 */
public final class ToxicWaste implements AutoCloseable {
  private static final long LIMIT = 1 << 20;
  private static final String[] SCALARS = {"alpha", "beta", "gamma", "delta", "tau"};

  final long[] alpha;
  final long[] beta;
  final long[] gamma;
  final long[] delta;
  final long[] tau;
  final long[] g1;
  final long[] g2;
  private final boolean known;

  private ToxicWaste(long[][] scalars, long[] g1, long[] g2, boolean known) {
    alpha = scalars[0];
    beta = scalars[1];
    gamma = scalars[2];
    delta = scalars[3];
    tau = scalars[4];
    this.g1 = g1;
    this.g2 = g2;
    this.known = known;
  }

  /** Fresh secrets over the standard generators. */
  public static ToxicWaste random() {
    SecureRandom random = new SecureRandom();
    long[][] scalars = new long[SCALARS.length][];
    for (int i = 0; i < scalars.length; i++) {
      scalars[i] = RandomScalars.nonZero(random);
    }
    long[] g1 = new long[Group.G1.affineWords()];
    long[] g2 = new long[Group.G2.affineWords()];
    Group.G1.generator(g1, 0);
    Group.G2.generator(g2, 0);
    return new ToxicWaste(scalars, g1, g2, false);
  }

  /**
   * Published secrets, for tests only: keys made of them protect nothing. The file is a JSON object
   * whose member {@code toxic} holds alpha, beta, gamma, delta, tau (little-endian hex) and g1, g2
   * (compressed hex); other keys are ignored.
   */
  public static ToxicWaste readForTests(Path file) {
    Map<String, String> found = new HashMap<>();
    try {
      long size = Files.size(file);
      if (size > LIMIT) {
        throw new InvalidInputException(
            "%s has %d bytes, expected at most %d".formatted(file, size, LIMIT));
      }
      try (JsonParser in = new JsonFactory().createParser(Files.readAllBytes(file))) {
        readToxic(in, found);
      }
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new InvalidInputException(
          "%s is not JSON: %s".formatted(file, e.getOriginalMessage()), e);
    } catch (java.nio.file.NoSuchFileException e) {
      throw new InvalidInputException("test secrets " + file + " do not exist", e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + file + ": " + e, e);
    }
    return ofHex(found, file.toString());
  }

  private static void readToxic(JsonParser in, Map<String, String> found) throws IOException {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      return;
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String key = in.currentName();
      JsonToken value = in.nextToken();
      if (!key.equals("toxic") || value != JsonToken.START_OBJECT) {
        in.skipChildren();
        continue;
      }
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        if (in.nextToken() == JsonToken.VALUE_STRING) {
          found.put(name, in.getText());
        } else {
          in.skipChildren();
        }
      }
    }
  }

  /** Secrets from hex texts by name; see {@link #readForTests}. */
  static ToxicWaste ofHex(Map<String, String> hex, String source) {
    long[][] scalars = new long[SCALARS.length][Fr.WORDS];
    for (int i = 0; i < scalars.length; i++) {
      byte[] bytes = bytes(hex, SCALARS[i], Fr.BYTES, source);
      if (!Fr.fromBytes(scalars[i], 0, bytes, 0) || Fr.isZero(scalars[i], 0)) {
        throw new InvalidInputException(
            "%s: toxic.%s is %s, expected a scalar from 1 to the group order less one"
                .formatted(source, SCALARS[i], hex.get(SCALARS[i])));
      }
    }
    return new ToxicWaste(
        scalars, point(hex, "g1", Group.G1, source), point(hex, "g2", Group.G2, source), true);
  }

  private static long[] point(Map<String, String> hex, String name, Group group, String source) {
    byte[] bytes = bytes(hex, name, PointEncoding.compressedBytes(group), source);
    long[] affine = new long[group.affineWords()];
    PointEncoding.decodeCompressed(group, bytes, 0, affine, 0, PointEncoding.Check.SUBGROUP);
    if (group.isAffineInfinity(affine, 0)) {
      throw new InvalidInputException(source + ": toxic." + name + " is infinity");
    }
    return affine;
  }

  private static byte[] bytes(Map<String, String> hex, String name, int length, String source) {
    String text = hex.get(name);
    if (text == null || !text.matches("[0-9a-fA-F]{" + 2 * length + "}")) {
      throw new InvalidInputException(
          "%s: toxic.%s is %s, expected %d hex digits"
              .formatted(source, name, text == null ? "missing" : text, 2 * length));
    }
    return HexFormat.of().parseHex(text);
  }

  /** Whether these secrets were given and not drawn: others may know them. */
  public boolean known() {
    return known;
  }

  /** Overwrites the secrets. */
  @Override
  public void close() {
    for (long[] secret : new long[][] {alpha, beta, gamma, delta, tau}) {
      Arrays.fill(secret, 0);
    }
  }
}
