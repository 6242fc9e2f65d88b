package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.r1cs.Density;
import io.cuzk.r1cs.GoldenRows;
import io.cuzk.r1cs.RecordedRows;
import io.cuzk.r1cs.RowDigest;
import io.cuzk.testing.Golden;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The circuit without a witness: every row, by digests, as rust-fil-proofs makes it. */
class StackedCircuitRowsTest {
  @ParameterizedTest
  @ValueSource(strings = {"8MiB", "512MiB"})
  void rowsEqualTheRustCircuits(String size) throws Exception {
    checkCount(size);
  }

  /** 26 GB of rows, digested four times: three and a half minutes of one core. */
  @Tag("slow")
  @Test
  void rowsOf32GiBEqualTheRustCircuits() throws Exception {
    checkCount("32GiB");
  }

  private static void checkCount(String size) throws Exception {
    JsonNode golden = Golden.json("count-" + size + ".json");
    int depth = depth(golden.get("landmarks"));
    RowDigest.Result rows =
        RowDigest.of(
            StackedCircuit.blank(SectorShape.of(size)), golden.get("block_rows").asInt(), depth);
    check(rows, golden);
    if (depth > 0) {
      checkLandmarks(rows, golden.get("landmarks"));
    }
  }

  @Test
  void rowsOf2KiB() throws Exception {
    JsonNode landmarks = Golden.json("circuit-2KiB-landmarks.json").get("landmarks");
    RowDigest.Result rows =
        RowDigest.of(StackedCircuit.blank(SectorShape.of("2KiB")), 65536, depth(landmarks));
    checkLandmarks(rows, landmarks);
    check(rows, Golden.json("count-2KiB.json"));
    check(rows, Golden.json("circuit-2KiB.json"));
  }

  @Test
  void firstRowsOf2KiBInClear() {
    RecordedRows recorded = RecordedRows.of(StackedCircuit.blank(SectorShape.of("2KiB")), 2000);
    GoldenRows.check(recorded.rows(), Golden.json("circuit-2KiB-rows.json").get("rows"), 4);
  }

  @Test
  void rowsOf16KiBWithSubTrees() {
    JsonNode golden = Golden.json("mini16KiB-2layers.json").get("circuits").get(0);
    RowDigest.Result rows =
        RowDigest.of(
            StackedCircuit.blank(SectorShape.of("16KiB")),
            golden.get("block_rows").asInt(),
            depth(golden.get("landmarks")));
    checkLandmarks(rows, golden.get("landmarks"));
    checkCounts(rows, golden);
    for (int i = 0; i < 3; i++) {
      assertThat(rows.nonZeros()[i]).isEqualTo(golden.get("nnz").get(i).asLong());
    }
  }

  /** The shapes without golden digests: 8-2-0 and 8-8-2. */
  @ParameterizedTest
  @CsvSource({"4KiB,2,1,0", "32KiB,2,0,1"})
  void countsFollowFromTheGadgets(String size, int base, int binarySub, int binaryTop) {
    SectorShape shape = SectorShape.of(size);
    RowDigest.Result rows = RowDigest.of(StackedCircuit.blank(shape), 1 << 20, 0);
    int levelOf8 = 3 + 22 + 505; // index bits, insertion, hash
    int levelOf2 = 1 + 2 + 311;
    int path = 2 + base * levelOf8 + binarySub * levelOf2 + binaryTop * (levelOf8 + levelOf2);
    int dataPath = 2 + shape.nodesLog() * 45_382;
    assertThat(path).isEqualTo(size.equals("4KiB") ? 1376 : 1906);
    long challenge = dataPath + 14L * (311 + path) + 65 + labels(2) + 1 + 2L * path + 311;
    assertThat(rows.rows()).isEqualTo(571 + 2 * challenge + 40);
    assertThat(rows.inputs()).isEqualTo(40);
  }

  /** Rows of the labels of so many layers, from the landmarks of the 2 KiB circuit. */
  private static long labels(int layers) {
    assertThat(layers).isEqualTo(2);
    return 1_341_810L - 292_152L;
  }

  /** 64 GiB by its first challenge, since all its challenges are alike. */
  @Test
  void countsOf64GiB() {
    SectorShape shape = SectorShape.of("64GiB");
    SectorShape one =
        new SectorShape(
            "64GiB of one challenge",
            shape.sectorBytes(),
            shape.baseArity(),
            shape.subArity(),
            shape.topArity(),
            shape.layers(),
            1,
            1,
            false);
    RowDigest.Result rows = RowDigest.of(StackedCircuit.blank(one), 1 << 20, 1);
    RowDigest.Landmark challenge = rows.landmarks().getLast();
    assertThat(challenge.path()).isEqualTo("challenge_0");
    int challenges = shape.challengesPerPartition();
    int inputs = 4 + challenges * (challenge.toInput() - challenge.fromInput());
    long challengeRows = challenge.toRow() - challenge.fromRow();
    int challengeAux = challenge.toAux() - challenge.fromAux();
    assertThat(inputs).isEqualTo(328);
    assertThat(challenge.fromRow() + challenges * challengeRows + inputs).isEqualTo(131_186_177L);
    assertThat(challenge.fromAux() + challenges * challengeAux).isEqualTo(131_076_643);
  }

  private static int depth(JsonNode landmarks) {
    int depth = 0;
    if (landmarks != null) {
      for (JsonNode landmark : landmarks) {
        depth = Math.max(depth, landmark.get(0).asText().split("/").length);
      }
    }
    return depth;
  }

  private static void checkLandmarks(RowDigest.Result rows, JsonNode golden) {
    for (int i = 0; i < golden.size(); i++) {
      JsonNode expected = golden.get(i);
      RowDigest.Landmark found = rows.landmarks().get(i);
      assertThat(found)
          .isEqualTo(
              new RowDigest.Landmark(
                  expected.get(0).asText(),
                  expected.get(1).asLong(),
                  expected.get(2).asLong(),
                  expected.get(3).asInt(),
                  expected.get(4).asInt(),
                  expected.get(5).asInt(),
                  expected.get(6).asInt(),
                  expected.get(7).asText()));
    }
    assertThat(rows.landmarks()).hasSize(golden.size());
  }

  static void checkCounts(RowDigest.Result rows, JsonNode golden) {
    assertThat(rows.rows()).isEqualTo(golden.get("num_constraints_with_input_rows").asLong());
    assertThat(rows.aux()).isEqualTo(golden.get("num_aux").asInt());
    assertThat(rows.inputs()).isEqualTo(golden.get("num_inputs_incl_one").asInt());
    assertThat(rows.aAux().count()).isEqualTo(golden.get("a_aux_density").asInt());
    assertThat(rows.bAux().count()).isEqualTo(golden.get("b_aux_density").asInt());
    assertThat(rows.bInputs().count()).isEqualTo(golden.get("b_input_density").asInt());
    List<String> blocks = new ArrayList<>();
    golden.get("block_sha256").forEach(b -> blocks.add(b.asText()));
    assertThat(rows.blocks()).isEqualTo(blocks);
    assertThat(rows.sha256()).isEqualTo(golden.get("rows_sha256").asText());
  }

  static void check(RowDigest.Result rows, JsonNode golden) throws Exception {
    checkCounts(rows, golden);
    assertThat(rows.ones()).isEqualTo(golden.get("coeffs_one").asLong());
    assertThat(rows.minusOnes()).isEqualTo(golden.get("coeffs_minus_one").asLong());
    String[] matrices = {"nnz_a", "nnz_b", "nnz_c"};
    for (int i = 0; i < 3; i++) {
      assertThat(rows.nonZeros()[i]).isEqualTo(golden.get(matrices[i]).asLong());
      assertThat(rows.emptyRows()[i]).isEqualTo(golden.get("empty_rows_abc").get(i).asLong());
      assertThat(rows.maxTerms()[i]).isEqualTo(golden.get("max_terms_abc").get(i).asInt());
    }
    assertThat(sha256(rows.aAux())).isEqualTo(golden.get("a_aux_density_sha256").asText());
    assertThat(sha256(rows.bAux())).isEqualTo(golden.get("b_aux_density_sha256").asText());
    assertThat(sha256(rows.bInputs())).isEqualTo(golden.get("b_input_density_sha256").asText());
  }

  static String sha256(Density density) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    byte[] bytes = new byte[density.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (density.isSet(i) ? 1 : 0);
    }
    return HexFormat.of().formatHex(digest.digest(bytes));
  }
}
