package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import io.cuzk.InvalidInputException;
import io.cuzk.testing.Golden;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is no C1 file is refused with one line that says where and why, and at no great cost. */
class Commit1HostileTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static byte[] bare;
  private static byte[] wrapped;
  private static byte[] bincode;
  private static Commit1Output output;

  @BeforeAll
  static void load() throws IOException {
    bare = Golden.bytes("c1-2KiB.json");
    wrapped = Golden.bytes("c1-2KiB-wrapped.json");
    output = read(bare).output();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Commit1Codec.writeBincode(output, new byte[32], 42, out);
    bincode = out.toByteArray();
  }

  private static Commit1File read(byte[] bytes) {
    return read(new ByteArrayInputStream(bytes));
  }

  private static Commit1File read(InputStream in) {
    return Commit1Codec.read(in, "some.json", Optional.empty());
  }

  private static byte[] content(Commit1File.Form form) {
    return switch (form) {
      case BARE -> bare;
      case WRAPPED -> wrapped;
      case BINCODE -> bincode;
    };
  }

  private static String refusal(byte[] bytes) {
    return refusal(new ByteArrayInputStream(bytes));
  }

  private static String refusal(InputStream in) {
    Throwable thrown = catchThrowable(() -> read(in));
    assertThat(thrown).isInstanceOf(InvalidInputException.class);
    assertThat(thrown.getMessage()).startsWith("some.json: ").doesNotContain("\n");
    assertThat(thrown.getMessage().length()).isLessThan(400);
    return thrown.getMessage();
  }

  private static byte[] replaced(String what, String by) {
    String text = new String(bare, StandardCharsets.UTF_8);
    int at = text.indexOf(what);
    assertThat(at).as(what).isNotNegative();
    return (text.substring(0, at) + by + text.substring(at + what.length()))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "StackedDrg2KiBV1_1" | "StackedDrg2KibV1_2" | registered_proof: found "StackedDrg2KibV1_2", which is no registered proof; did you mean StackedDrg2KiBV1
          "StackedDrg2KiBV1_1" | "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep" | registered_proof: StackedDrg2KiBV1_2_Feat_NonInteractivePoRep needs aggregation, which cuzk-spark does not do yet
          "StackedDrg2KiBV1_1" | "StackedDrg8MiBV1_1" | registered_proof is StackedDrg8MiBV1_1, which takes vanilla_proofs.StackedDrg8MiBV1, but found vanilla_proofs.StackedDrg2KiBV1
          "StackedDrg2KiBV1_1" | 5 | registered_proof: found 5 at byte
          "StackedDrg2KiBV1": | "StackedDrg2KiBV1_1": | vanilla_proofs: found "StackedDrg2KiBV1_1"; did you mean StackedDrg2KiBV1?
          "comm_r": | "com_r": | unknown key "com_r" at byte
          "comm_r": | "com_r": | did you mean comm_r?
          "comm_r": | "comm_d": | comm_d: the key appears twice
          "seed": | "seeds": | did you mean seed?
          "comm_d_proofs" | "comm_d_proof" | vanilla_proofs.StackedDrg2KiBV1[0][0]: unknown key "comm_d_proof"
          "Single" | "Sub" | vanilla_proofs.StackedDrg2KiBV1[0][0].comm_d_proofs.data: found "Sub"; expected Single
          "hashes":[[240, | "hashes":[[256, | vanilla_proofs.StackedDrg2KiBV1[0][0].comm_d_proofs.data.Single.path.path[0].hashes[0][0]: found 256 at byte
          "hashes":[[240, | "hashes":[[-1, | found -1 at byte
          "hashes":[[240, | "hashes":[[1.5, | found 1.5 at byte
          "hashes":[[240, | "hashes":[[1e2, | expected an integer from 0 to 255
          "hashes":[[240, | "hashes":[["240", | found "240" at byte
          "hashes":[[240, | "hashes":[[240,0, | hashes[0]: found more than 32 numbers
          "hashes":[[240, | "hashes":[[ | hashes[0]: found 31 numbers, expected 32
          "hashes":[[240, | "hashes":[[99999999999999999999999, | expected an integer from 0 to 255
          "index":1} | "index":2} | comm_d_proofs.data.Single.path.path[0].index: found 2 at byte
          "index":61 | "index":64 | c_x.column.index: found 64 at byte
          "layer_index":1 | "layer_index":3 | labeling_proofs[0].layer_index: found 3 at byte
          "node":61 | "node":18446744073709551615 | labeling_proofs[0].node: found 18446744073709551615 at byte
          "_h":null | "_h":1 | column._h: found 1 at byte
          {"registered_proof" | {{"registered_proof" | found '{' at byte 1, expected a key
          {"registered_proof" | [{"registered_proof" | expected a C1 file: JSON, wrapped JSON or bincode
          "encoding_proof":{ | "encoding_proof":[{ | encoding_proof: found a list at byte
          ],"ticket" | ],"ticket":[],"ticket" | ticket: found 0 numbers, expected 32
          """)
  void faultsOfJson(String what, String by, String expected) {
    assertThat(refusal(replaced(what, by))).contains(expected);
  }

  @Test
  void nonInteractiveProofsAreNamedThoughTheyHaveMorePartitions() {
    String text = new String(bare, StandardCharsets.UTF_8);
    int from = text.indexOf("[[{");
    int to = text.indexOf(",\"comm_r\":");
    String partition = text.substring(from + 1, to - 2);
    String proofs = String.join(",", Collections.nCopies(13, partition));
    String last =
        "{\"vanilla_proofs\":{\"StackedDrg2KiBV1\":["
            + proofs
            + "]}"
            + text.substring(to, text.length() - 1)
            + ",\"registered_proof\":\"%s\"}";
    assertThat(refusal(utf8(last.formatted("StackedDrg2KiBV1_2_Feat_NonInteractivePoRep"))))
        .endsWith(
            "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep needs aggregation, which cuzk-spark does"
                + " not do yet");
    assertThat(refusal(utf8(last.formatted("StackedDrg2KiBV1_1"))))
        .contains("StackedDrg2KiBV1: found more than 1 elements, expected 1 for 2KiB");
    assertThat(refusal(utf8(text.replace("[[{", "[" + partition + ",[{"))))
        .contains("StackedDrg2KiBV1: found more than 1 elements, expected 1 for 2KiB");
    byte[] binary = bincode.clone();
    binary[4] = 15;
    assertThat(refusal(binary))
        .contains("c1out.registered_proof: StackedDrg2KiBV1_2_Feat_NonInteractivePoRep needs");
  }

  @Test
  void elementsAreCanonical() {
    String r = "[1,0,0,0,255,255,255,255,254,91,254,255,2,164,189,83,5,216,161,9,8,216,57,51,72,";
    String text = new String(bare, StandardCharsets.UTF_8);
    String good =
        text.replaceFirst("\"root\":\\[[0-9,]*\\]", "\"root\":" + r + "125,157,41,83,167,237,115]");
    assertThat(refusal(utf8(good)))
        .contains("[0][0].comm_d_proofs.data.Single.root: found 01000000ffffffff")
        .endsWith("which as a little-endian number is not below r");
    String below = good.replace("\"root\":[1,0", "\"root\":[0,0");
    assertThat(read(utf8(below)).output()).isNotEqualTo(output); // r − 1 is read
    // seed and ticket are no field elements
    String ones = "[" + String.join(",", Collections.nCopies(32, "255")) + "]";
    assertThat(read(utf8(text.replaceFirst("\"seed\":\\[[0-9,]*\\]", "\"seed\":" + ones))).output())
        .isNotNull();
    assertThat(refusal(utf8(text.replaceFirst("\"comm_r\":\\[[0-9,]*\\]", "\"comm_r\":" + ones))))
        .contains("comm_r: found ffff");
  }

  @Test
  void nothingMayFollow() {
    String text = new String(bare, StandardCharsets.UTF_8);
    assertThat(read(utf8(text + " \n")).output()).isEqualTo(output);
    assertThat(refusal(utf8(text + "{}"))).contains("behind the end of the file");
    assertThat(refusal(utf8(text + "x"))).contains("not JSON at byte");
    assertThat(refusal(utf8(text + "\0"))).contains("not JSON at byte");
    String wrapper = new String(wrapped, StandardCharsets.UTF_8);
    assertThat(read(utf8(wrapper + "\n")).output()).isEqualTo(output);
    assertThat(refusal(utf8(wrapper + "}"))).contains("expected the end of the file");
    assertThat(refusal(Arrays.copyOf(bincode, bincode.length + 1)))
        .endsWith("found more bytes behind the end, at byte " + bincode.length);
    assertThat(refusal(utf8(wrap(text + "{}", "42", "2048"))))
        .contains("behind the end of the JSON inside Phase1Out");
  }

  @Test
  void wrapper() {
    String text = new String(bare, StandardCharsets.UTF_8);
    String good = wrap(text, "42", "2048");
    assertThat(read(utf8(good)).sectorNumber()).hasValue(42);
    String extra =
        good.replace(
            "\"SectorNum\"",
            "\"remarks of others\" : {\"a\":[1,-2.5e+3,true,null,\"\\\"}\"], \"b\":{}} ,\n"
                + " \"SectorNum\"");
    assertThat(read(utf8(extra)).output()).isEqualTo(output);
    assertThat(read(utf8(good)).sparse()).isFalse();
    assertThat(
            read(utf8(good.replace("{\"SectorNum\"", "{\"sparse\":true,\"SectorNum\""))).sparse())
        .isTrue();
    assertThat(refusal(utf8(good.replace("{\"SectorNum\"", "{\"sparse\":{},\"SectorNum\""))))
        .contains("sparse: found '{' at byte");
    assertThat(read(utf8(good.replace("\"SectorNum\":42,", ""))).sectorNumber()).isEmpty();
    // base64 with escaped slashes, as some serialisers write it
    assertThat(read(utf8(good.replace("/", "\\/"))).output()).isEqualTo(output);

    assertThat(refusal(utf8(good.replace("SectorNum", "SectorNumber"))))
        .contains("SectorNumber: unknown key; did you mean SectorNum?");
    assertThat(refusal(utf8(good.replace("Phase1Out", "Phase1out"))))
        .contains("Phase1out: unknown key; did you mean Phase1Out?");
    assertThat(refusal(utf8(good.replace("2048", "8388608"))))
        .contains("SectorSize is 8388608, expected 2048 for registered_proof StackedDrg2KiBV1_1");
    assertThat(refusal(utf8(good.replace("42", "-42")))).contains("SectorNum: found '-' at byte");
    assertThat(refusal(utf8(good.replace("42", "4.2")))).contains("found a fraction");
    assertThat(refusal(utf8(good.replace("42", "99999999999999999999")))).contains("SectorNum");
    assertThat(refusal(utf8(good.replace("\"SectorNum\":", "\"SectorNum\":1,\"SectorNum\":"))))
        .contains("SectorNum: the key appears twice");
    assertThat(refusal(utf8("{\"SectorNum\":1}"))).contains("neither a wrapper with the key");
    assertThat(refusal(utf8("{}"))).contains("neither a wrapper with the key");
    int middle = good.indexOf("eyJ") + 1000;
    for (String bad : List.of("-", "_", "=", "\\n", " ", "\u00e9")) {
      String broken = good.substring(0, middle) + bad + good.substring(middle + 1);
      assertThat(refusal(utf8(broken))).contains("Phase1Out: ").contains("base64");
    }
    assertThat(refusal(utf8(wrap(text.substring(0, 5000), "42", "2048"))))
        .contains("the JSON inside Phase1Out ends at byte 5000: truncated");
  }

  private static String wrap(String json, String number, String size) {
    String base64 = Base64.getEncoder().encodeToString(utf8(json));
    return "{\"SectorNum\":"
        + number
        + ",\"Phase1Out\":\""
        + base64
        + "\",\"SectorSize\":"
        + size
        + "}";
  }

  @Test
  void otherFiles(@TempDir Path directory) {
    assertThat(refusal(new byte[0])).isEqualTo("some.json: the file is empty");
    assertThat(refusal(new byte[] {0x1f, (byte) 0x8b, 8, 0})).contains("gzip: unpack it first");
    assertThat(refusal(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd})).contains("zstd");
    assertThat(refusal(utf8("hello, world"))).contains("begins with 68656c6c, expected a C1 file");
    assertThat(refusal(new byte[] {1, 0, 0, 0})).contains("found tag 1 of C2Input");
    assertThatThrownBy(() -> Commit1Codec.read(directory))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("is a directory");
    assertThatThrownBy(() -> Commit1Codec.read(directory.resolve("none.json")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no such file");
  }

  @ParameterizedTest
  @EnumSource
  void truncated(Commit1File.Form form) {
    byte[] whole = content(form);
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      int length = i < 40 ? i + 1 : i < 80 ? whole.length - (i - 39) : random.nextInt(whole.length);
      assertThat(refusal(Arrays.copyOf(whole, length)))
          .as("%d bytes", length)
          .matches(".*(at byte " + length + ".*truncated|begins with 00).*|.*base64 ends.*");
    }
  }

  @ParameterizedTest
  @EnumSource
  void flipped(Commit1File.Form form) {
    byte[] whole = content(form);
    Random random = new Random(2);
    int refused = 0;
    for (int i = 0; i < 400; i++) {
      byte[] copy = whole.clone();
      int at = i < 100 ? i : random.nextInt(copy.length);
      copy[at] ^= (byte) (1 << random.nextInt(8));
      Throwable thrown = catchThrowable(() -> read(copy));
      if (thrown != null) {
        assertThat(thrown).isInstanceOf(InvalidInputException.class);
        assertThat(thrown.getMessage()).startsWith("some.json: ").doesNotContain("\n");
        refused++;
      } else {
        Commit1File file = read(copy);
        assertThat(
                !file.output().equals(output)
                    || file.sectorNumber().orElse(42) != 42
                    || file.proverId().isPresent()
                    || file.sectorNumber().isEmpty()
                    || Character.isWhitespace(copy[at]))
            .as("byte %d", at)
            .isTrue();
      }
    }
    assertThat(refused).isGreaterThan(50);
  }

  @Test
  void lengthsInBincodeAllocateNothing() {
    // every place that holds a u64 length gets huge ones
    List<Integer> places = new ArrayList<>(List.of(12, 20));
    ByteBuffer buffer = ByteBuffer.wrap(bincode).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 28; at < bincode.length - 8; at++) {
      long value = buffer.getLong(at);
      if (value == 37 || value == 7 || value == 6 || value == 8) {
        places.add(at);
      }
    }
    assertThat(places.size()).isGreaterThan(80);
    for (int at : places) {
      for (long bomb : new long[] {Long.MAX_VALUE, -1L, 1L << 31, 1L << 40}) {
        byte[] copy = bincode.clone();
        ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).putLong(at, bomb);
        assertThat(allocated(() -> refusal(copy))).isLessThan(16L << 20);
      }
    }
  }

  @Test
  void endlessInputAllocatesNothing() {
    String start =
        "{\"registered_proof\":\"StackedDrg2KiBV1_1\",\"vanilla_proofs\":{\"StackedDrg2KiBV1\":[[";
    String root = start + "{\"comm_d_proofs\":{\"data\":{\"Single\":{\"root\":[";
    String text = new String(bare, StandardCharsets.UTF_8);
    String hashes = text.substring(0, text.indexOf("[[240")) + "[";
    String one = "[" + String.join(",", Collections.nCopies(32, "0")) + "],";
    Map<String, String> endless =
        Map.of(
            start,
            "[",
            start + "{\"",
            "a",
            root,
            "0,",
            root + "1",
            "0",
            root + " ",
            " ",
            hashes,
            one,
            "{\"Phase1Out\":\"eyJ",
            "A",
            "{\"Phase1Out\":\"" + Base64.getEncoder().encodeToString(utf8(start + "  ")),
            "ICAg",
            "{\"registered_proof\":\"",
            "StackedDrg");
    endless.forEach(
        (head, tail) -> {
          long bytes =
              allocated(
                  () -> refusal(new SequenceInputStream(stream(utf8(head)), endless(utf8(tail)))));
          assertThat(bytes).as(head.substring(Math.max(0, head.length() - 20))).isLessThan(8 << 20);
        });
  }

  @Test
  void endlessWrapperStopsAtTheLimit() {
    String head = "{\"extra\":\"";
    InputStream in = new SequenceInputStream(stream(utf8(head)), endless(utf8("x")));
    Optional<SectorShape> shape = Optional.of(SectorShape.of("2KiB"));
    long bytes =
        allocated(
            () ->
                assertThatThrownBy(() -> Commit1Codec.read(in, "big.json", shape))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("larger than ")
                    .hasMessageContaining("the most that a C1 of 2KiB may take"));
    assertThat(bytes).isLessThan(8 << 20);
  }

  private static InputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  private static InputStream endless(byte[] pattern) {
    return new InputStream() {
      private long at;

      @Override
      public int read() {
        return pattern[(int) (at++ % pattern.length)];
      }

      @Override
      public int read(byte[] into, int offset, int length) {
        for (int i = 0; i < length; i++) {
          into[offset + i] = (byte) read();
        }
        return length;
      }
    };
  }

  private static long allocated(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void anyOrderOfKeys() throws IOException {
    JsonNode tree = JSON.readTree(bare);
    for (int seed = 0; seed < 20; seed++) {
      byte[] shuffled = JSON.writeValueAsBytes(shuffle(tree, new Random(seed)));
      assertThat(read(shuffled).output()).isEqualTo(output);
      byte[] pretty =
          JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(shuffle(tree, new Random(seed)));
      assertThat(read(pretty).output()).isEqualTo(output);
    }
  }

  private static JsonNode shuffle(JsonNode node, Random random) {
    if (node.isObject()) {
      List<Map.Entry<String, JsonNode>> fields = new ArrayList<>(node.properties());
      Collections.shuffle(fields, random);
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      fields.forEach(field -> object.set(field.getKey(), shuffle(field.getValue(), random)));
      return object;
    }
    if (node.isArray() && !node.isEmpty() && !node.get(0).isNumber()) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      node.forEach(element -> array.add(shuffle(element, random)));
      return array;
    }
    return node;
  }

  @Test
  void everyMissingKeyIsNamed() throws IOException {
    for (String key :
        Stream.concat(
                Commit1Json.rootKeys().stream(),
                Stream.of("labeling_proofs", "encoding_proof", "comm_d_proofs"))
            .toList()) {
      ObjectNode tree = (ObjectNode) JSON.readTree(bare);
      if (tree.remove(key) == null) {
        ((ObjectNode) tree.at("/vanilla_proofs/StackedDrg2KiBV1/0/1")).remove(key);
      }
      assertThat(refusal(JSON.writeValueAsBytes(tree))).endsWith("missing key \"" + key + "\"");
    }
  }
}
