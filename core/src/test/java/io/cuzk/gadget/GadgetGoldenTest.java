package io.cuzk.gadget;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.field.Fr;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.GoldenRows;
import io.cuzk.r1cs.RecordedRows;
import io.cuzk.r1cs.Satisfaction;
import io.cuzk.testing.Golden;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ten gadgets, row for row as bellpepper, neptune and storage-proofs make them. */
class GadgetGoldenTest {
  private static final JsonNode GADGETS = Golden.json("gadgets.json").get("gadgets");

  static Stream<String> names() {
    List<String> names = new ArrayList<>();
    GADGETS.forEach(g -> names.add(g.get("name").asText()));
    assertThat(names).hasSize(10);
    return names.stream();
  }

  private static JsonNode gadget(String name) {
    for (JsonNode g : GADGETS) {
      if (g.get("name").asText().equals(name)) {
        return g;
      }
    }
    throw new AssertionError(name);
  }

  @ParameterizedTest
  @MethodSource("names")
  void rowsWitnessAndNamespaces(String name) throws Exception {
    JsonNode golden = gadget(name);
    RecordedRows recorded = RecordedRows.of(circuit(golden));
    int depth =
        golden.get("landmarks").valueStream().mapToInt(GadgetGoldenTest::depth).max().getAsInt();
    if (golden.has("rows")) {
      GoldenRows.check(recorded.rows(), golden.get("rows"), depth);
    }
    checkLandmarks(recorded, golden.get("landmarks"), depth);
    assertThat(recorded.rows()).hasSize(golden.get("num_rows").asInt());
    assertThat(sha256(recorded.stream())).isEqualTo(golden.get("rows_sha256").asText());
    assertThat(recorded.witness().inputs().size()).isEqualTo(golden.get("num_inputs").asInt());
    assertThat(recorded.witness().aux().size()).isEqualTo(golden.get("num_aux").asInt());
    long[] aux = aux(recorded);
    for (int i = 0; i < golden.get("aux").size(); i++) {
      assertThat(GoldenRows.hex(aux, 4 * i))
          .as("x" + i)
          .isEqualTo(golden.get("aux").get(i).asText());
    }
    byte[] auxBytes = new byte[8 * aux.length];
    for (int i = 0; i < aux.length / 4; i++) {
      Fr.toBytes(auxBytes, 32 * i, aux, 4 * i);
    }
    assertThat(sha256(auxBytes)).isEqualTo(golden.get("aux_sha256").asText());
  }

  @ParameterizedTest
  @MethodSource("names")
  void densitiesAndSatisfaction(String name) {
    JsonNode golden = gadget(name);
    Circuit circuit = circuit(golden);
    assertThat(Satisfaction.firstBrokenRow(circuit)).isEmpty();
    var assignment = ProvingAssignment.of(circuit);
    assertThat(assignment.aAux().count()).isEqualTo(golden.get("a_aux_density").asInt());
    assertThat(assignment.bAux().count()).isEqualTo(golden.get("b_aux_density").asInt());
    assertThat(assignment.rows())
        .isEqualTo(golden.get("num_rows").asLong() + golden.get("num_inputs").asLong());
  }

  @Test
  void sha256RowsInClear() {
    RecordedRows recorded = RecordedRows.of(circuit(gadget("sha256_256bits")));
    JsonNode rows = Golden.json("gadget-sha256-256-rows.json").get("rows");
    assertThat(rows.size()).isEqualTo(recorded.rows().size());
    int depth =
        rows.valueStream().mapToInt(r -> r.get("ns").asText().split("/").length).max().getAsInt();
    GoldenRows.check(recorded.rows(), rows, depth);
  }

  private static int depth(JsonNode landmark) {
    return landmark.get(0).asText().split("/").length;
  }

  private static void checkLandmarks(RecordedRows recorded, JsonNode golden, int depth) {
    List<Object[]> kept =
        recorded.landmarks().stream()
            .filter(l -> ((String) l[0]).split("/").length <= depth)
            .toList();
    assertThat(kept).hasSize(golden.size());
    for (int i = 0; i < golden.size(); i++) {
      JsonNode expected = golden.get(i);
      assertThat(kept.get(i))
          .containsExactly(
              expected.get(0).asText(),
              expected.get(1).asInt(),
              expected.get(2).asInt(),
              expected.get(3).asInt(),
              expected.get(4).asInt());
    }
  }

  private static long[] aux(RecordedRows recorded) {
    long[] aux = new long[4 * recorded.witness().aux().size()];
    recorded.witness().aux().read(0, aux.length / 4, aux, 0);
    return aux;
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  /** The circuit of the recording, with its inputs from the recorded witness. */
  private static Circuit circuit(JsonNode golden) {
    String name = golden.get("name").asText();
    return cs -> {
      if (name.startsWith("sha256")) {
        sha256(cs, Golden.hex(golden.get("data")), name.startsWith("sha256_256") ? 256 : 512);
      } else if (name.startsWith("poseidon")) {
        poseidon(cs, golden, Integer.parseInt(name.substring("poseidon_arity".length())));
      } else if (name.startsWith("insert")) {
        insert(cs, golden, name.charAt(name.length() - 1) - '0');
      } else {
        AllocatedNum n = number(cs, golden, "n", -1, 0);
        boolean strict = name.endsWith("strict");
        cs.enter("bits");
        Bool[] bits = strict ? n.toBitsStrict(cs) : n.toBits(cs);
        cs.leave();
        if (!strict) {
          cs.enter("pack");
          AllocatedNum packed = Multipack.pack(cs, bits, 254);
          cs.leave();
          assertThat(hex(cs, packed)).isEqualTo(golden.get("packed").asText());
        }
      }
    };
  }

  private static void sha256(ConstraintSystem cs, byte[] data, int length) {
    assertThat(data).hasSize(length / 8);
    Bool[] bits = new Bool[length];
    for (int i = 0; i < length; i++) {
      cs.enter("in", i);
      bits[i] = Bool.alloc(cs, (data[i / 8] >>> (7 - i % 8) & 1) != 0);
      cs.leave();
    }
    cs.enter("sha256");
    Bool[] hash = Sha256Gadget.hash(cs, bits);
    cs.leave();
    byte[] out = new byte[32];
    for (int i = 0; i < 256; i++) {
      out[i / 8] |= (byte) ((hash[i].value(cs) ? 1 : 0) << (7 - i % 8));
    }
    try {
      assertThat(HexFormat.of().formatHex(out)).isEqualTo(sha256(data));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void poseidon(ConstraintSystem cs, JsonNode golden, int arity) {
    AllocatedNum[] input = new AllocatedNum[arity];
    for (int i = 0; i < arity; i++) {
      input[i] = number(cs, golden, "x#", i, i);
    }
    cs.enter("h");
    AllocatedNum hash = PoseidonGadget.hash(cs, input);
    cs.leave();
    assertThat(hex(cs, hash)).isEqualTo(golden.get("out").asText());
  }

  private static void insert(ConstraintSystem cs, JsonNode golden, int index) {
    AllocatedNum[] others = new AllocatedNum[7];
    for (int i = 0; i < 7; i++) {
      others[i] = number(cs, golden, "x#", i, i);
    }
    AllocatedNum leaf = number(cs, golden, "leaf", -1, 7);
    Bool[] bits = new Bool[3];
    for (int i = 0; i < 3; i++) {
      cs.enter("b#", i);
      bits[i] = Bool.alloc(cs, (index >>> i & 1) != 0);
      cs.leave();
    }
    cs.enter("insert");
    AllocatedNum[] result = Insertion.insert(cs, leaf, bits, others);
    cs.leave();
    for (int i = 0; i < 8; i++) {
      assertThat(hex(cs, result[i])).isEqualTo(golden.get("result").get(i).asText());
    }
  }

  private static AllocatedNum number(
      ConstraintSystem cs, JsonNode golden, String name, int index, int aux) {
    long[] value = new long[4];
    assertThat(Fr.fromBytes(value, 0, Golden.hex(golden.get("aux").get(aux)), 0)).isTrue();
    if (index < 0) {
      cs.enter(name);
    } else {
      cs.enter(name, index);
    }
    AllocatedNum num = AllocatedNum.alloc(cs, value, 0);
    cs.leave();
    return num;
  }

  private static String hex(ConstraintSystem cs, AllocatedNum num) {
    return GoldenRows.hex(num.value(cs), 0);
  }
}
