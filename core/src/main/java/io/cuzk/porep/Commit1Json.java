package io.cuzk.porep;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Reads serde_json's form of {@code SealCommitPhase1Output} as a stream, keys in any order. Every
 * list has the length that the shape gives it and is refused at the first element too many, so
 * memory is bounded by the shape and not by the file. Not thread-safe.
 */
final class Commit1Json {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(24)
                  .maxStringLength(1024)
                  .maxNameLength(256)
                  .maxNumberLength(24)
                  .build())
          .build();

  private static final List<String> OUTPUT =
      List.of(
          "registered_proof", "vanilla_proofs", "comm_r", "comm_d", "replica_id", "seed", "ticket");
  private static final List<String> CHALLENGE =
      List.of(
          "comm_d_proofs",
          "comm_r_last_proof",
          "replica_column_proofs",
          "labeling_proofs",
          "encoding_proof");
  private static final List<String> COLUMNS = List.of("c_x", "drg_parents", "exp_parents");
  private static final List<String> COLUMN_PROOF = List.of("column", "inclusion_proof");
  private static final List<String> COLUMN = List.of("index", "rows", "_h");
  private static final List<String> LABELING = List.of("parents", "layer_index", "node");
  private static final List<String> DATA = List.of("data");
  private static final List<String> PATH = List.of("path");
  private static final List<String> ELEMENT = List.of("hashes", "index");
  private static final List<List<String>> FORMS =
      List.of(
          List.of("root", "leaf", "path"),
          List.of("root", "leaf", "base_proof", "sub_proof"),
          List.of("root", "leaf", "base_proof", "sub_proof", "top_proof"));

  private final FieldPath path;
  private final Optional<SectorShape> override;
  private final Consumer<Commit1Bounds> shapeKnown;
  private final String text;
  private final JsonParser json;

  private RegisteredProof proof;
  private RegisteredProof tagged;
  private SectorShape shape;
  private InvalidInputException tooManyPartitions;

  /**
   * A reader of one text.
   *
   * @param text what the stream is, for messages about its end
   * @param shapeKnown told as soon as the shape is
   */
  Commit1Json(
      InputStream in,
      FieldPath path,
      String text,
      Optional<SectorShape> override,
      Consumer<Commit1Bounds> shapeKnown) {
    this.path = path;
    this.text = text;
    this.override = override;
    this.shapeKnown = shapeKnown;
    try {
      json = FACTORY.createParser(in);
    } catch (IOException e) {
      throw path.fault("not JSON: " + e.getMessage(), e);
    }
  }

  /** The keys of the text's root object. */
  static List<String> rootKeys() {
    return OUTPUT;
  }

  /** The output; reads the stream to its end. */
  Commit1Output read() {
    next();
    Object[] v = object(OUTPUT, 0, this::outputField);
    Commit1Output output =
        new Commit1Output(
            proof,
            shape,
            partitions(v[1]),
            (byte[]) v[2],
            (byte[]) v[3],
            (byte[]) v[4],
            (byte[]) v[5],
            (byte[]) v[6]);
    if (next() != null) {
      throw path.fault("found " + found() + " at byte " + offset() + " behind the end of " + text);
    }
    return output;
  }

  @SuppressWarnings("unchecked")
  private static List<List<ChallengeProof>> partitions(Object value) {
    return (List<List<ChallengeProof>>) value;
  }

  private Object outputField(int key) {
    return switch (key) {
      case 0 -> registeredProof();
      case 1 -> vanillaProofs();
      case 2, 3, 4 -> node(true);
      default -> node(false);
    };
  }

  private RegisteredProof registeredProof() {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      throw expected("the name of a registered proof");
    }
    String name = string();
    proof = registered(name, path);
    agree();
    if (tooManyPartitions != null) {
      throw tooManyPartitions;
    }
    return proof;
  }

  /** The registered proof of a name; refuses what cannot be proved. */
  static RegisteredProof registered(String name, FieldPath path) {
    List<String> names = RegisteredProof.ALL.stream().map(RegisteredProof::name).toList();
    RegisteredProof proof =
        RegisteredProof.find(name)
            .orElseThrow(
                () -> {
                  String nearest = NearestName.find(name, names);
                  return path.fault(
                      "found \""
                          + name
                          + "\", which is no registered proof"
                          + (nearest == null
                              ? "; expected a name like " + names.getFirst()
                              : "; did you mean " + nearest + "?"));
                });
    return provable(proof, path);
  }

  /** The proof, unless it is of a kind that is not proved here. */
  static RegisteredProof provable(RegisteredProof proof, FieldPath path) {
    if (proof.feature() == RegisteredProof.Feature.NON_INTERACTIVE) {
      throw path.fault(proof + " needs aggregation, which cuzk-spark does not do yet");
    }
    return proof;
  }

  private void agree() {
    if (proof != null && tagged != null && !proof.vanillaTag().equals(tagged.vanillaTag())) {
      throw path.fault(
          "registered_proof is "
              + proof
              + ", which takes vanilla_proofs."
              + proof.vanillaTag()
              + ", but found vanilla_proofs."
              + tagged.vanillaTag());
    }
  }

  private List<List<ChallengeProof>> vanillaProofs() {
    List<String> tags =
        RegisteredProof.ALL.stream()
            .filter(p -> p.api() == ApiVersion.V1_0)
            .map(RegisteredProof::vanillaTag)
            .toList();
    Object proofs =
        oneOf(
            tags,
            tag -> {
              tagged = RegisteredProof.ALL.get(tag);
              agree();
              Commit1Bounds bounds = Commit1Bounds.of(tagged, override);
              shape = bounds.shape();
              shapeKnown.accept(bounds);
              return provedPartitions();
            });
    return partitions(proofs);
  }

  private List<List<ChallengeProof>> provedPartitions() {
    startArray();
    List<List<ChallengeProof>> proofs = new ArrayList<>();
    while (next() != JsonToken.END_ARRAY) {
      if (proofs.size() < shape.partitions() && tooManyPartitions == null) {
        int mark = path.enter(proofs.size());
        proofs.add(list(shape.challengesPerPartition(), c -> challenge()));
        path.leave(mark);
      } else if (proof != null) {
        throw tooMany(shape.partitions());
      } else {
        // Non-interactive proofs have more partitions; the name that says so is still to come.
        tooManyPartitions = tooMany(shape.partitions());
        skip();
      }
    }
    if (proofs.size() < shape.partitions()) {
      throw path.fault("found " + proofs.size() + " elements" + expectedCount(shape.partitions()));
    }
    return proofs;
  }

  private ChallengeProof challenge() {
    Object[] v =
        object(
            CHALLENGE,
            0,
            key ->
                switch (key) {
                  case 0 -> inclusion(false);
                  case 1 -> inclusion(true);
                  case 2 -> columns();
                  case 3 -> list(shape.layers(), i -> labeling());
                  default -> labeling();
                });
    Object[] columns = (Object[]) v[2];
    LabelingProof encoding = (LabelingProof) v[4];
    return new ChallengeProof(
        (InclusionProof) v[0],
        (InclusionProof) v[1],
        (ColumnProof) columns[0],
        listOf(ColumnProof.class, columns[1]),
        listOf(ColumnProof.class, columns[2]),
        listOf(LabelingProof.class, v[3]),
        new EncodingProof(encoding.node(), encoding.layer(), encoding.parents()));
  }

  private static <T> List<T> listOf(Class<T> type, Object list) {
    return ((List<?>) list).stream().map(type::cast).toList();
  }

  private Object[] columns() {
    return object(
        COLUMNS,
        0,
        key ->
            switch (key) {
              case 0 -> columnProof();
              case 1 -> list(ChallengeProof.DRG_PARENTS, i -> columnProof());
              default -> list(ChallengeProof.EXP_PARENTS, i -> columnProof());
            });
  }

  private ColumnProof columnProof() {
    Object[] v = object(COLUMN_PROOF, 0, key -> key == 0 ? column() : inclusion(true));
    return new ColumnProof((Column) v[0], (InclusionProof) v[1]);
  }

  private Column column() {
    Object[] v =
        object(
            COLUMN,
            1,
            key ->
                switch (key) {
                  case 0 -> number(0, shape.nodes() - 1);
                  case 1 -> nodes(shape.layers());
                  default -> nothing();
                });
    return new Column((int) (long) v[0], (byte[]) v[1]);
  }

  private LabelingProof labeling() {
    Object[] v =
        object(
            LABELING,
            0,
            key ->
                switch (key) {
                  case 0 -> nodes(LabelingProof.PARENTS);
                  case 1 -> number(1, shape.layers());
                  default -> number(0, shape.nodes() - 1);
                });
    return new LabelingProof((long) v[2], (int) (long) v[1], (byte[]) v[0]);
  }

  private InclusionProof inclusion(boolean poseidon) {
    Object[] data = object(DATA, 0, key -> anyForm(poseidon));
    return (InclusionProof) data[0];
  }

  private Object anyForm(boolean poseidon) {
    InclusionProof.Form form = poseidon ? shape.poseidonForm() : InclusionProof.Form.SINGLE;
    return oneOf(
        List.of(form.tag()),
        tag -> {
          Object[] v = object(FORMS.get(form.ordinal()), 0, key -> formField(key, form, poseidon));
          List<PathElement> joined = new ArrayList<>();
          for (int part = 2; part < v.length; part++) {
            joined.addAll(listOf(PathElement.class, v[part]));
          }
          return new InclusionProof(form, (byte[]) v[0], (byte[]) v[1], joined);
        });
  }

  private Object formField(int key, InclusionProof.Form form, boolean poseidon) {
    if (key < 2) {
      return node(true);
    }
    int from = key == 2 ? 0 : shape.baseLevels() + key - 3;
    int levels = key > 2 ? 1 : poseidon ? shape.baseLevels() : shape.nodesLog();
    Object[] inner =
        object(
            PATH, 0, k -> list(levels, i -> element(poseidon ? shape.poseidonArity(from + i) : 2)));
    return inner[0];
  }

  private PathElement element(int arity) {
    Object[] v =
        object(ELEMENT, 0, key -> key == 0 ? nodes(arity - 1) : (Object) number(0, arity - 1L));
    return new PathElement((byte[]) v[0], (int) (long) v[1]);
  }

  // The grammar. Each of these finds the value's first token current and leaves its last current.

  /** An object with these keys, each once; the last {@code optional} ones may be missing. */
  private Object[] object(List<String> keys, int optional, IntFunction<Object> field) {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw expected("an object");
    }
    Object[] values = new Object[keys.size()];
    boolean[] seen = new boolean[keys.size()];
    while (next() != JsonToken.END_OBJECT) {
      String name = name();
      int key = keys.indexOf(name);
      if (key < 0) {
        throw path.fault(
            "unknown key \""
                + cut(name)
                + "\" at byte "
                + offset()
                + NearestName.hint(cut(name), keys));
      }
      int mark = path.enter(name);
      if (seen[key]) {
        throw path.fault("the key appears twice, the second time at byte " + offset());
      }
      seen[key] = true;
      next();
      values[key] = field.apply(key);
      path.leave(mark);
    }
    for (int key = 0; key < keys.size() - optional; key++) {
      if (!seen[key]) {
        throw path.fault("missing key \"" + keys.get(key) + "\"");
      }
    }
    return values;
  }

  /** An object with exactly one key: the tag of an enum. */
  private Object oneOf(List<String> tags, IntFunction<Object> content) {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw expected("an object");
    }
    if (next() != JsonToken.FIELD_NAME) {
      throw path.fault("found an empty object, expected one key of " + String.join(", ", tags));
    }
    String name = name();
    int tag = tags.indexOf(name);
    if (tag < 0) {
      throw path.fault("found \"" + cut(name) + "\"" + NearestName.hint(cut(name), tags));
    }
    int mark = path.enter(name);
    next();
    Object value = content.apply(tag);
    path.leave(mark);
    if (next() != JsonToken.END_OBJECT) {
      throw path.fault("found a second key \"" + cut(name()) + "\", expected only " + name);
    }
    return value;
  }

  /** A list of exactly {@code count} elements. */
  private <T> List<T> list(int count, IntFunction<T> element) {
    startArray();
    List<T> list = new ArrayList<>(count);
    while (next() != JsonToken.END_ARRAY) {
      if (list.size() == count) {
        throw tooMany(count);
      }
      int mark = path.enter(list.size());
      list.add(element.apply(list.size()));
      path.leave(mark);
    }
    if (list.size() < count) {
      throw path.fault("found " + list.size() + " elements" + expectedCount(count));
    }
    return list;
  }

  private InvalidInputException tooMany(int count) {
    return path.fault("found more than " + count + " elements" + expectedCount(count));
  }

  private String expectedCount(int count) {
    return ", expected " + count + " for " + shape.name();
  }

  /** A list of exactly {@code count} canonical nodes, joined. */
  private byte[] nodes(int count) {
    startArray();
    byte[] nodes = new byte[count * Nodes.BYTES];
    int done = 0;
    while (next() != JsonToken.END_ARRAY) {
      int mark = path.enter(done);
      if (done == count) {
        throw tooMany(count);
      }
      bytes(nodes, done * Nodes.BYTES, true);
      done++;
      path.leave(mark);
    }
    if (done < count) {
      throw path.fault("found " + done + " elements" + expectedCount(count));
    }
    return nodes;
  }

  private byte[] node(boolean canonical) {
    byte[] node = new byte[Nodes.BYTES];
    bytes(node, 0, canonical);
    return node;
  }

  private void bytes(byte[] into, int at, boolean canonical) {
    startArray();
    for (int i = 0; i < Nodes.BYTES; i++) {
      JsonToken token = next();
      if (token == JsonToken.END_ARRAY) {
        throw path.fault("found " + i + " numbers, expected 32");
      }
      int mark = path.enter(i);
      into[at + i] = (byte) (long) number(0, 255);
      path.leave(mark);
    }
    if (next() != JsonToken.END_ARRAY) {
      throw path.fault("found more than 32 numbers, expected 32");
    }
    if (canonical && !Nodes.isCanonical(into, at)) {
      throw path.fault(
          "found " + Nodes.hex(into, at) + ", which as a little-endian number is not below r");
    }
  }

  private Long number(long least, long most) {
    if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      try {
        if (json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
          long value = json.getLongValue();
          if (value >= least && value <= most) {
            return value;
          }
        }
      } catch (IOException e) {
        throw translate(e);
      }
    }
    throw expected("an integer from " + least + " to " + most);
  }

  private Object nothing() {
    if (json.currentToken() != JsonToken.VALUE_NULL) {
      throw expected("null");
    }
    return "";
  }

  private void startArray() {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw expected("a list");
    }
  }

  private InvalidInputException expected(String what) {
    return path.fault("found " + found() + " at byte " + offset() + ", expected " + what);
  }

  private String found() {
    JsonToken token = json.currentToken();
    return switch (token) {
      case null -> "the end";
      case START_OBJECT -> "an object";
      case START_ARRAY -> "a list";
      case END_OBJECT, END_ARRAY -> "the end of a list or object";
      case VALUE_STRING -> "\"" + cut(string()) + "\"";
      default -> cut(string());
    };
  }

  private String name() {
    try {
      return json.currentName();
    } catch (IOException e) {
      throw translate(e);
    }
  }

  private String string() {
    try {
      return json.getText();
    } catch (IOException e) {
      throw translate(e);
    }
  }

  private void skip() {
    try {
      json.skipChildren();
    } catch (IOException e) {
      throw translate(e);
    }
  }

  private JsonToken next() {
    try {
      return json.nextToken();
    } catch (IOException e) {
      throw translate(e);
    }
  }

  private long offset() {
    return json.currentLocation().getByteOffset();
  }

  private InvalidInputException translate(IOException e) {
    String message =
        e instanceof StreamReadException read ? read.getOriginalMessage() : e.getMessage();
    String line = message.lines().findFirst().orElse("");
    if (e instanceof JsonEOFException || line.startsWith("Unexpected end-of-input")) {
      return path.fault(text + " ends at byte " + offset() + ": truncated", e);
    }
    String kind = e instanceof StreamConstraintsException ? "" : "not JSON ";
    return path.fault(kind + "at byte " + offset() + ": " + line, e);
  }

  private static String cut(String text) {
    String plain = text.length() <= 60 ? text : text.substring(0, 60) + "…";
    return plain.replaceAll("\\p{Cntrl}", "?");
  }
}
