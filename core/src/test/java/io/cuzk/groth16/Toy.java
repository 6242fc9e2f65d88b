package io.cuzk.groth16;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.field.Fr;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Variable;
import io.cuzk.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The toy instance of the golden vectors, its circuit played back from its rows. */
public final class Toy {
  public static final JsonNode JSON = Golden.json("toy.json");

  private Toy() {}

  /** The circuit with its witness. */
  public static Circuit circuit() {
    return new RowPlayback(JSON, true);
  }

  /** The circuit alone. */
  public static Circuit blank() {
    return new RowPlayback(JSON, false);
  }

  /** The secrets of the toy parameters. */
  public static ToxicWaste secrets() {
    Map<String, String> hex = new HashMap<>();
    JSON.get("toxic").properties().forEach(e -> hex.put(e.getKey(), e.getValue().asText()));
    return ToxicWaste.ofHex(hex, "toy.json");
  }

  /** The golden parameter file, written into a directory with its digest. */
  public static Path params(Path directory) throws IOException {
    Path file = directory.resolve("toy.params");
    Files.write(file, Golden.bytes("toy.params"));
    try (ParameterFile opened = ParameterFile.open(file)) {
      opened.digest("golden").write(file);
    }
    return file;
  }

  /** The public inputs without the constant one. */
  public static long[] inputs() {
    long[] out = scalars(JSON.get("inputs"));
    return java.util.Arrays.copyOfRange(out, Fr.WORDS, out.length);
  }

  /** A JSON list of little-endian scalars as Montgomery words. */
  public static long[] scalars(JsonNode list) {
    long[] out = new long[Fr.WORDS * list.size()];
    for (int i = 0; i < list.size(); i++) {
      if (!Fr.fromBytes(out, Fr.WORDS * i, Golden.hex(list.get(i)), 0)) {
        throw new AssertionError("not canonical: " + list.get(i));
      }
    }
    return out;
  }

  /** A circuit whose rows are read from JSON, as {@code toy.json} has them. */
  private record RowPlayback(JsonNode json, boolean witness) implements Circuit {
    @Override
    public void synthesize(ConstraintSystem cs) {
      long[] inputs = scalars(json.get("inputs"));
      long[] aux = scalars(json.get("aux"));
      for (int i = Fr.WORDS; i < inputs.length; i += Fr.WORDS) {
        cs.allocInput(witness ? inputs : null, i);
      }
      for (int i = 0; i < aux.length; i += Fr.WORDS) {
        cs.alloc(witness ? aux : null, i);
      }
      JsonNode rows = json.get("rows");
      for (int row = 0; row < json.get("rows_circuit").asInt(); row++) {
        LinearCombination a = read(cs, rows.get(row).get("a"));
        LinearCombination b = read(cs, rows.get(row).get("b"));
        cs.enforce(a, b, read(cs, rows.get(row).get("c")));
      }
    }

    private static LinearCombination read(ConstraintSystem cs, JsonNode terms) {
      LinearCombination out = cs.lc();
      long[] coefficient = new long[Fr.WORDS];
      for (JsonNode term : terms) {
        String name = term.get(0).asText();
        int index = Integer.parseInt(name.substring(1));
        Fr.fromBytes(coefficient, 0, Golden.hex(term.get(1)), 0);
        out.add(name.charAt(0) == 'x' ? Variable.aux(index) : index, coefficient, 0);
      }
      return out;
    }
  }
}
