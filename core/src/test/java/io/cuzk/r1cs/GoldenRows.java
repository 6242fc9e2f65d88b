package io.cuzk.r1cs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.field.Fr;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Comparison with golden rows in clear. */
public final class GoldenRows {
  private GoldenRows() {}

  /** Checks every golden row, with its namespace cut to a depth. */
  public static void check(List<RecordedRows.Row> rows, JsonNode golden, int depth) {
    for (int i = 0; i < golden.size(); i++) {
      JsonNode expected = golden.get(i);
      RecordedRows.Row row = rows.get(i);
      String at = "row " + i + " in " + row.path();
      assertThat(expected.get("row").asInt()).isEqualTo(i);
      assertThat(cut(row.path(), depth)).as(at).isEqualTo(expected.get("ns").asText());
      assertThat(text(row.a())).as(at + ", A").isEqualTo(text(expected.get("a")));
      assertThat(text(row.b())).as(at + ", B").isEqualTo(text(expected.get("b")));
      assertThat(text(row.c())).as(at + ", C").isEqualTo(text(expected.get("c")));
    }
  }

  /** The first names of a path. */
  public static String cut(String path, int depth) {
    String[] names = path.split("/");
    return names.length <= depth ? path : String.join("/", List.of(names).subList(0, depth));
  }

  private static List<String> text(LinearCombination lc) {
    List<String> terms = new ArrayList<>();
    for (int i = 0; i < lc.size(); i++) {
      terms.add(Variable.toString(lc.variable(i)) + " " + hex(lc.coefficients(), 4 * i));
    }
    return terms;
  }

  private static List<String> text(JsonNode lc) {
    List<String> terms = new ArrayList<>();
    for (JsonNode term : lc) {
      terms.add(term.get(0).asText() + " " + term.get(1).asText());
    }
    return terms;
  }

  /** An element as the golden files write it. */
  public static String hex(long[] words, int at) {
    byte[] bytes = new byte[Fr.BYTES];
    Fr.toBytes(bytes, 0, words, at);
    return HexFormat.of().formatHex(bytes);
  }
}
