package io.cuzk.submit;

import static io.cuzk.submit.Captured.cuzk;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.groth16.Progress;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.ProverBackends;
import io.cuzk.r1cs.Circuit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command in this JVM: error lines, exit codes, JSON; Spark only where it must refuse. */
class CommandTest {
  @TempDir private Path temp;

  private Path file(String name, byte[] content) throws IOException {
    return Files.write(temp.resolve(name), content);
  }

  private static void isOneLine(Captured ran) {
    assertThat(ran.err().strip().lines().filter(line -> line.startsWith("cuzk: "))).hasSize(1);
    assertThat(ran.err()).doesNotContain("\tat ").doesNotContain("Exception");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "setup",
        "seal",
        "prove",
        "verify",
        "check-c1",
        "params",
        "self-test",
        "status",
        "compare",
        "report",
        "devices"
      })
  void everyCommandHasHelpWithExamples(String command) {
    Captured ran = cuzk(command, "--help");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("Examples:").contains("cuzk " + command);
    assertThat(ran.err()).isEmpty();
  }

  @Test
  void unknownWordsGetTheNearestName() {
    Captured option = cuzk("prove", "--parms", "p");
    assertThat(option.code()).isEqualTo(2);
    assertThat(option.err()).contains("unknown option --parms; did you mean --params?");
    isOneLine(option);
    Captured command = cuzk("prov");
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.err()).contains("no command prov; did you mean prove?");
    assertThat(cuzk().code()).isEqualTo(2);
  }

  @Test
  void unknownConfigurationKeysAndBadValuesAreUsageErrors() {
    Captured key =
        cuzk("prove", "--c1", "x", "--params", "p", "--out", temp, "--conf", "spark.cuzk.thread=1");
    assertThat(key.code()).isEqualTo(2);
    assertThat(key.err()).contains("did you mean spark.cuzk.threads?");
    isOneLine(key);
    Captured backend =
        cuzk("prove", "--c1", "x", "--params", "p", "--out", temp, "--backend", "gpu");
    assertThat(backend.code()).isEqualTo(2);
    assertThat(backend.err()).contains("auto, cpu, cuda");
  }

  @Test
  void aMeasurementAndAModelSayWhatTheyNeed() {
    Captured neither = cuzk("throughput", "--out", temp);
    assertThat(neither.code()).isEqualTo(2);
    assertThat(neither.err()).contains("one of --sector-size and --c1 is expected");
    Captured unparsable =
        cuzk("simulate", "--from=x", "--hosts=1", "--gpus-per-host=1", "--memory=64");
    assertThat(unparsable.code()).isEqualTo(2);
    assertThat(unparsable.err()).contains("'64' is no size");
    Captured noRun =
        cuzk("simulate", "--from", temp, "--hosts=1", "--gpus-per-host=1", "--memory=64GiB");
    assertThat(noRun.code()).isEqualTo(3);
    assertThat(noRun.err()).contains("no run in");
    isOneLine(noRun);
  }

  @Test
  void testRandomnessIsAPairOf32Bytes() {
    String r = "01" + "0".repeat(62);
    for (String pair : List.of("", r, r + ",", r + "," + r + "0", r + ",g" + r.substring(1))) {
      Captured ran =
          cuzk(
              "prove",
              "--c1=x",
              "--params=p",
              "--out=" + temp.resolve("run"),
              "--test-randomness=" + pair);
      assertThat(ran.code()).as(pair).isEqualTo(2);
      assertThat(ran.err()).contains("--test-randomness: R,S of 64 hex digits each is expected");
      isOneLine(ran);
    }
    assertThat(temp.resolve("run")).doesNotExist();
  }

  @Test
  void unsupportedSizesComeWithTheList() {
    Captured unknown = cuzk("seal", "--sector-size", "3KiB", "--sectors", "1", "--c1", temp);
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("3KiB").contains("2KiB, 4KiB").contains("64GiB");
    for (Captured circuitOnly :
        List.of(
            cuzk("setup", "--sector-size", "16KiB", "--params", temp.resolve("p")),
            cuzk("seal", "--sector-size", "16KiB", "--sectors", "1", "--c1", temp.resolve("c")))) {
      assertThat(circuitOnly.code()).isEqualTo(3);
      assertThat(circuitOnly.err()).contains("no registered proof").contains("2KiB, 8MiB, 512MiB");
      isOneLine(circuitOnly);
    }
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void failuresWithJsonAreOneObject() {
    Captured ran = cuzk("status", temp, "--json");
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.json().path("error").asText()).contains("no run in");
    assertThat(ran.json().path("exit_code").asInt()).isEqualTo(3);
    assertThat(cuzk("seal", "--json", "--sector-size", "x").json().path("exit_code").asInt())
        .isEqualTo(2);
  }

  private static boolean aDeviceIsHere() {
    return ProverBackends.providers().stream()
        .anyMatch(p -> p.name().equals("cuda") && p.unavailable().isEmpty());
  }

  @Test
  void refusalsOfProveLeaveNothing() throws IOException {
    Path c1 = file("c1.json", Captured.golden("c1-2KiB-wrapped.json"));
    Path out = temp.resolve("run");
    if (!aDeviceIsHere()) {
      Captured cuda =
          cuzk("prove", "--c1", c1, "--params", temp, "--out", out, "--backend", "cuda");
      assertThat(cuda.code()).isEqualTo(5);
      assertThat(cuda.err())
          .contains("backend cuda cannot run: cuda: ", "--backend cpu")
          .as("told before Spark and the parameters")
          .doesNotContain("parameters");
    }
    Captured none =
        cuzk("prove", "--c1", temp.resolve("nothing"), "--params", temp, "--out", out, "--json");
    assertThat(none.code()).isEqualTo(3);
    assertThat(none.json().path("error").asText()).contains("no C1 file at");
    Captured unwritable = cuzk("prove", "--c1", c1, "--params", temp, "--out", c1.resolve("run"));
    assertThat(unwritable.code()).isEqualTo(5);
    assertThat(unwritable.err()).contains("cannot make the output directory");
    Captured missing = cuzk("prove", "--c1", c1, "--params", temp.resolve("p"), "--out", out);
    assertThat(missing.code()).isEqualTo(3);
    assertThat(missing.err()).contains("parameters missing").contains(".params").contains(".vk");
    assertThat(out).doesNotExist();
  }

  @Test
  void checkC1NamesTheFirstFaultOfEachFile() throws IOException {
    byte[] wrapped = Captured.golden("c1-2KiB-wrapped.json");
    byte[] bare = Captured.golden("c1-2KiB.json");
    Path good = file("good.json", wrapped);
    Captured fine = cuzk("check-c1", good, "--miner", "f01000", "--json");
    assertThat(fine.code()).isZero();
    assertThat(fine.json().at("/files/0/replica_id_checked").asBoolean()).isTrue();
    assertThat(fine.json().at("/files/0/sector").asLong()).isEqualTo(42);

    assertThat(cuzk("check-c1", good, "--miner", "1001").out()).contains("replica_id");
    assertThat(cuzk("check-c1", good, "--miner", "1000", "--sector", "43").code()).isEqualTo(3);
    Path truncated = file("truncated.json", Arrays.copyOf(bare, bare.length - 100));
    String text = new String(bare, StandardCharsets.UTF_8);
    int at = text.indexOf("\"leaf\":[") + 8;
    String altered = text.substring(0, at) + "7" + text.substring(text.indexOf(',', at));
    Path garbled = file("garbled.json", altered.getBytes(StandardCharsets.UTF_8));
    Captured bad = cuzk("check-c1", good, truncated, garbled, "--json");
    assertThat(bad.code()).isEqualTo(3);
    JsonNode json = bad.json();
    assertThat(json.path("good").asInt()).isEqualTo(1);
    assertThat(json.path("bad").asInt()).isEqualTo(2);
    assertThat(json.at("/files/1/reason").asText()).contains("truncated.json");
    assertThat(json.at("/files/2/reason").asText())
        .contains("partition 0")
        .contains("challenge 0")
        .contains("comm_d");
    isOneLine(bad);
  }

  @Test
  void singleProofsAreVerifiedFromFilesHexAndC1() throws IOException {
    JsonNode golden = Captured.goldenJson("proof-2KiB.json");
    String proof = golden.path("proof_hex_192").asText();
    String key = Captured.goldenJson("params-2KiB.json").path("vk_hex").asText();
    Path vk = file("key.vk", HexFormat.of().parseHex(key));
    Path inputs =
        file("inputs.json", new ObjectMapper().writeValueAsBytes(golden.path("public_inputs")));
    assertThat(cuzk("verify", "--vk", vk, "--proof", proof, "--inputs", inputs).code()).isZero();
    Path c1 = file("c1.json", Captured.golden("c1-2KiB.json"));
    Path proofFile = file("a.proof", HexFormat.of().parseHex(proof));
    Captured derived = cuzk("verify", "--c1", c1, "--vk", vk, "--proof", proofFile, "--json");
    assertThat(derived.code()).isZero();
    assertThat(derived.json().path("verified").asInt()).isEqualTo(1);

    List<String> numbers = new ArrayList<>();
    golden.path("public_inputs").forEach(input -> numbers.add(bigEndian(input.asText())));
    Path other = file("other.json", new ObjectMapper().writeValueAsBytes(numbers));
    assertThat(cuzk("verify", "--vk", vk, "--proof", proof, "--inputs", other).code()).isZero();
    numbers.set(3, "0x1");
    Files.write(other, new ObjectMapper().writeValueAsBytes(numbers));
    Captured rejected = cuzk("verify", "--vk", vk, "--proof", proof, "--inputs", other);
    assertThat(rejected.code()).isEqualTo(4);
    assertThat(rejected.out()).contains("DOES NOT VERIFY");
    numbers.set(3, "0x" + "f".repeat(64));
    Files.write(other, new ObjectMapper().writeValueAsBytes(numbers));
    assertThat(cuzk("verify", "--vk", vk, "--proof", proof, "--inputs", other).code()).isEqualTo(3);
    String offCurve = proof.substring(0, 20) + "00" + proof.substring(22);
    Captured bad = cuzk("verify", "--vk", vk, "--proof", offCurve, "--inputs", inputs);
    assertThat(bad.code()).isEqualTo(3);
    isOneLine(bad);
    assertThat(cuzk("verify", "--vk", vk).code()).isEqualTo(2);
  }

  private static String bigEndian(String littleEndian) {
    byte[] bytes = HexFormat.of().parseHex(littleEndian);
    StringBuilder hex = new StringBuilder("0x");
    for (int i = bytes.length - 1; i >= 0; i--) {
      hex.append(HexFormat.of().toHexDigits(bytes[i]));
    }
    return hex.toString();
  }

  @Test
  void theRealProofsVerifyAndNotWithABitChanged() throws IOException {
    Path prf = Captured.realdata("fil-blst/seal32_x10.prf");
    Captured real = cuzk("verify", "--prf", prf, "--json");
    assertThat(real.code()).isZero();
    assertThat(real.json().path("verified").asInt()).isEqualTo(10);
    byte[] bytes = Files.readAllBytes(prf);
    bytes[bytes.length - 1] ^= 1;
    Captured changed = cuzk("verify", "--prf", file("changed.prf", bytes), "--json");
    assertThat(changed.code()).isEqualTo(4);
    assertThat(changed.json().path("verified").asInt()).isEqualTo(9);
    Captured c1 =
        cuzk("check-c1", Captured.realdata("gevulot-fil/c2-input-8MiB.bincode"), "--json");
    assertThat(c1.code()).isZero();
    assertThat(c1.json().at("/files/0/registered_proof").asText()).isEqualTo("StackedDrg8MiBV1_1");
  }

  @Test
  void sealingIsReproducibleFromItsRandomSeed() {
    for (String name : List.of("a", "b")) {
      Captured ran =
          cuzk(
              "seal",
              "--sector-size=2KiB",
              "--sectors=2",
              "--c1=" + temp.resolve(name),
              "--random-seed=5",
              "--first-sector=7",
              "--miner=1234",
              "--json");
      assertThat(ran.code()).isZero();
      assertThat(ran.json().path("files")).hasSize(2);
    }
    Path first = temp.resolve("a/s-t01234-7.json");
    Path second = temp.resolve("a/s-t01234-8.json");
    assertThat(second).hasSameBinaryContentAs(temp.resolve("b/s-t01234-8.json"));
    Captured checked = cuzk("check-c1", first, second, "--miner", "1234");
    assertThat(checked.code()).isZero();
    assertThat(checked.out()).contains("replica_id is of miner 1234 sector 8");
  }

  @Test
  void sparseSectorsAreGoodAndSaySo() throws IOException {
    Object[] words = {
      "seal", "--sparse", "--sector-size=32GiB", "--sectors=1", "--miner=1234", "--random-seed=5"
    };
    Path c1 = temp.resolve("c1");
    Captured ran = cuzk(with(words, "--c1=" + c1, "--json"));
    assertThat(ran.code()).isZero();
    assertThat(ran.json().path("sparse").asBoolean()).isTrue();
    Path file = c1.resolve("s-t01234-1.json");
    Captured checked = cuzk("check-c1", file, "--miner", "1234", "--json");
    assertThat(checked.code()).isZero();
    assertThat(checked.json().at("/files/0/sparse").asBoolean()).isTrue();
    assertThat(checked.json().at("/files/0/replica_id_checked").asBoolean()).isTrue();
    assertThat(checked.json().at("/files/0/partitions").asInt()).isEqualTo(10);

    Captured data = cuzk(with(words, "--c1=" + temp.resolve("d"), "--data=" + file));
    assertThat(data.code()).isEqualTo(2);
    assertThat(data.err()).contains("--sparse: the sector holds zeros");
    String synthetic = "StackedDrg32GiBV1_1_Feat_SyntheticPoRep";
    Captured refused =
        cuzk(with(words, "--c1=" + temp.resolve("d"), "--registered-proof=" + synthetic));
    assertThat(refused.code()).isEqualTo(3);
    assertThat(refused.err()).contains("drawn from comm_r");
    isOneLine(refused);
    Captured other =
        cuzk(with(words, "--c1=" + temp.resolve("d"), "--registered-proof=StackedDrg2KiBV1_1"));
    assertThat(other.code()).isEqualTo(3);
    assertThat(other.err()).contains("is of 2KiB, --sector-size is 32GiB");
    assertThat(temp.resolve("d")).doesNotExist();
  }

  private static Object[] with(Object[] words, Object... more) {
    Object[] all = Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return all;
  }

  @Test
  void parametersAreConvertedLookedAtAndChecked() throws IOException {
    Path params = temp.resolve("toy.params");
    makeSmallParameters(params);
    Files.delete(temp.resolve("toy.params.digest"));
    Captured unvouched = cuzk("params", "convert", params);
    assertThat(unvouched.code()).isEqualTo(3);
    assertThat(unvouched.err()).contains("nothing says what digest").contains("params check");
    assertThat(cuzk("params", "check", params).code()).isZero();
    Captured converted = cuzk("params", "convert", params, "--json");
    assertThat(converted.code()).as(converted.err()).isZero();
    Path key = Path.of(converted.json().path("file").asText());
    assertThat(key).isEqualTo(temp.resolve("toy.params.native"));
    assertThat(converted.json().path("chunks_found_done").asInt()).isZero();
    assertThat(cuzk("params", "convert", params, "--json").json().path("chunks_found_done").asInt())
        .isEqualTo(5);
    JsonNode info = cuzk("params", "info", key, "--json").json();
    assertThat(info.path("kind").asText()).isEqualTo("native");
    assertThat(info.path("h_order").asText()).isEqualTo("ROW_GROUPS");
    assertThat(info.at("/sections/4/points").asInt()).isEqualTo(300);
    JsonNode checked = cuzk("params", "check", key, "--json").json();
    assertThat(checked.path("verdict").asText()).isEqualTo("good");
    assertThat(checked.path("points_checked").asInt()).isEqualTo(511 + 300 + 302 + 300 + 300);
    assertThat(checked.path("compared_with").asText()).isEqualTo(params.toString());
    byte[] bytes = Files.readAllBytes(key);
    bytes[info.at("/sections/2/offset").asInt() + 96 * 100] ^= 1;
    Files.write(key, bytes);
    Captured damaged = cuzk("params", "check", key);
    assertThat(damaged.code()).isEqualTo(3);
    assertThat(damaged.err()).contains("section a, point 100 of 302").contains("params convert");
    bytes = Files.readAllBytes(params);
    bytes[bytes.length - 1] ^= 1;
    Files.write(params, bytes);
    Captured refused = cuzk("params", "convert", params);
    assertThat(refused.code()).isEqualTo(3);
    assertThat(refused.err()).contains("is damaged or not this file");
  }

  /** Of a chain of 300 squarings. */
  private static void makeSmallParameters(Path params) {
    Circuit chain =
        cs -> {
          int last = cs.allocInput(null, 0);
          int x = cs.alloc(null, 0);
          for (int i = 0; i < 300; i++) {
            int square = i == 299 ? last : cs.alloc(null, 0);
            cs.enforce(cs.lc().add(x), cs.lc().add(x), cs.lc().add(square));
            x = square;
          }
        };
    Path vk = params.resolveSibling("toy.vk");
    ParameterGenerator.generate(chain, params, vk, Workers.single(), Progress.NONE);
  }

  @Test
  void theSelfTestAndTheDevicesAnswer() {
    Captured selfTest = cuzk("self-test", "--backend", "cpu", "--json");
    assertThat(selfTest.code()).isZero();
    assertThat(selfTest.json().path("known_answer").asBoolean()).isTrue();
    Captured devices = cuzk("devices", "--json");
    assertThat(devices.json().at("/devices/0/backend").asText()).isNotEmpty();
    if (!aDeviceIsHere()) {
      assertThat(devices.json().at("/unavailable/0/backend").asText()).isEqualTo("cuda");
      assertThat(devices.json().at("/unavailable/0/reason").asText()).contains("--backend cpu");
    }
    assertThat(cuzk("devices").out()).contains("cuda: ").contains("cpu: ");
    assertThat(cuzk("devices").out()).as("a simulator is no device").doesNotContain("sim");
    assertThat(cuzk("self-test", "--backend", "other").code()).isEqualTo(5);
  }

  /** Checked transforms and sums beside the limit that the device's measured products give. */
  @Test
  void benchesOfADeviceShowItsLimitsInTheSameRun() {
    for (List<String> bench : List.of(List.of("fft", "ntt", "4"), List.of("msm", "msm_g1", "2"))) {
      Captured ran =
          cuzk(
              "bench",
              bench.get(0),
              "--backend=sim",
              "--size=" + bench.get(2),
              "--iterations=1",
              "--warmup=0",
              "--json");
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.json().at("/rows/0/work").asText()).isEqualTo(bench.get(1));
      assertThat(ran.json().at("/rows/0/provider").asText()).isEqualTo("sim");
      assertThat(ran.json().at("/rows/0/limit_s").asDouble()).isPositive();
      assertThat(ran.json().at("/rows/0/of_limit").asDouble()).isPositive();
      assertThat(ran.json().at("/device_limits/fp_mul_per_s").asDouble()).isPositive();
      assertThat(ran.json().at("/device_limits/upload_bytes_per_s").asDouble()).isPositive();
    }
  }

  @Test
  void benchesOfADeviceThatIsNotThereOrTooSlowEndAtOnce() {
    if (!aDeviceIsHere()) {
      for (String bench : List.of("fft", "msm", "prove")) {
        Captured cuda = cuzk("bench", bench, "--backend", "cuda");
        assertThat(cuda.code()).as(bench).isEqualTo(5);
        assertThat(cuda.err()).contains("backend cuda cannot run: cuda: ");
      }
    }
    Captured prove = cuzk("bench", "prove", "--backend", "sim");
    assertThat(prove.code()).isEqualTo(5);
    assertThat(prove.err()).contains("circuits of up to 4096 rows", "a domain of 131072");
    assertThat(cuzk("bench", "fft", "--size=20", "--backend=sim").code()).isEqualTo(5);
    assertThat(cuzk("bench", "fft", "--size=4", "--backend=sim", "--provider=scalar").code())
        .isEqualTo(2);
  }

  /** CUDA's kernels, from the distribution's classes. Half a minute of CPU time. */
  @Test
  @Tag("nightly")
  void theSelfTestRunsOnTheSimulator() {
    Captured selfTest = cuzk("self-test", "--backend", "sim", "--json");
    assertThat(selfTest.code()).as(selfTest.err()).isZero();
    assertThat(selfTest.json().path("backend").asText()).isEqualTo("sim");
    assertThat(selfTest.json().path("known_answer").asBoolean()).isTrue();
    assertThat(selfTest.err()).contains("million PTX instructions");
  }
}
