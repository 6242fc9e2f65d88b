package io.cuzk.porep;

import com.fasterxml.jackson.core.JsonToken;
import io.cuzk.InvalidInputException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads serde_json's form of {@code SealCommitPhase1Output} as a stream, keys in any order. Every
 * list has the length that the shape gives it and is refused at the first element too many, so
 * memory is bounded by the shape and not by the file. Not thread-safe.
 */
final class Commit1Json {
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
  private final JsonGrammar json;

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
    this.override = override;
    this.shapeKnown = shapeKnown;
    json = new JsonGrammar(in, path, text);
  }

  /** The keys of the text's root object. */
  static List<String> rootKeys() {
    return OUTPUT;
  }

  /** The output; reads the stream to its end. */
  Commit1Output read() {
    json.next();
    Object[] v = json.object(OUTPUT, 0, this::outputField);
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
    if (json.next() != null) {
      throw path.fault(
          "found "
              + json.found()
              + " at byte "
              + json.offset()
              + " behind the end of "
              + json.text());
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
      case 2, 3, 4 -> json.node(true);
      default -> json.node(false);
    };
  }

  private RegisteredProof registeredProof() {
    if (json.current() != JsonToken.VALUE_STRING) {
      throw json.expected("the name of a registered proof");
    }
    String name = json.string();
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
        json.oneOf(
            tags,
            tag -> {
              tagged = RegisteredProof.ALL.get(tag);
              agree();
              Commit1Bounds bounds = Commit1Bounds.of(tagged, override);
              shape = bounds.shape();
              json.countsAreOf(shape.name());
              shapeKnown.accept(bounds);
              return provedPartitions();
            });
    return partitions(proofs);
  }

  private List<List<ChallengeProof>> provedPartitions() {
    json.startArray();
    List<List<ChallengeProof>> proofs = new ArrayList<>();
    while (json.next() != JsonToken.END_ARRAY) {
      if (proofs.size() < shape.partitions() && tooManyPartitions == null) {
        int mark = path.enter(proofs.size());
        proofs.add(json.list(shape.challengesPerPartition(), c -> challenge()));
        path.leave(mark);
      } else if (proof != null) {
        throw json.tooMany(shape.partitions());
      } else {
        // Non-interactive proofs have more partitions; the name that says so is still to come.
        tooManyPartitions = json.tooMany(shape.partitions());
        json.skip();
      }
    }
    if (proofs.size() < shape.partitions()) {
      throw path.fault(
          "found " + proofs.size() + " elements" + json.expectedCount(shape.partitions()));
    }
    return proofs;
  }

  private ChallengeProof challenge() {
    Object[] v =
        json.object(
            CHALLENGE,
            0,
            key ->
                switch (key) {
                  case 0 -> inclusion(false);
                  case 1 -> inclusion(true);
                  case 2 -> columns();
                  case 3 -> json.list(shape.layers(), i -> labeling());
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
    return json.object(
        COLUMNS,
        0,
        key ->
            switch (key) {
              case 0 -> columnProof();
              case 1 -> json.list(ChallengeProof.DRG_PARENTS, i -> columnProof());
              default -> json.list(ChallengeProof.EXP_PARENTS, i -> columnProof());
            });
  }

  private ColumnProof columnProof() {
    Object[] v = json.object(COLUMN_PROOF, 0, key -> key == 0 ? column() : inclusion(true));
    return new ColumnProof((Column) v[0], (InclusionProof) v[1]);
  }

  private Column column() {
    Object[] v =
        json.object(
            COLUMN,
            1,
            key ->
                switch (key) {
                  case 0 -> json.number(0, shape.nodes() - 1);
                  case 1 -> json.nodes(shape.layers());
                  default -> json.nothing();
                });
    return new Column((int) (long) v[0], (byte[]) v[1]);
  }

  private LabelingProof labeling() {
    Object[] v =
        json.object(
            LABELING,
            0,
            key ->
                switch (key) {
                  case 0 -> json.nodes(LabelingProof.PARENTS);
                  case 1 -> json.number(1, shape.layers());
                  default -> json.number(0, shape.nodes() - 1);
                });
    return new LabelingProof((long) v[2], (int) (long) v[1], (byte[]) v[0]);
  }

  private InclusionProof inclusion(boolean poseidon) {
    Object[] data = json.object(DATA, 0, key -> anyForm(poseidon));
    return (InclusionProof) data[0];
  }

  private Object anyForm(boolean poseidon) {
    InclusionProof.Form form = poseidon ? shape.poseidonForm() : InclusionProof.Form.SINGLE;
    return json.oneOf(
        List.of(form.tag()),
        tag -> {
          Object[] v =
              json.object(FORMS.get(form.ordinal()), 0, key -> formField(key, form, poseidon));
          List<PathElement> joined = new ArrayList<>();
          for (int part = 2; part < v.length; part++) {
            joined.addAll(listOf(PathElement.class, v[part]));
          }
          return new InclusionProof(form, (byte[]) v[0], (byte[]) v[1], joined);
        });
  }

  private Object formField(int key, InclusionProof.Form form, boolean poseidon) {
    if (key < 2) {
      return json.node(true);
    }
    int from = key == 2 ? 0 : shape.baseLevels() + key - 3;
    int levels = key > 2 ? 1 : poseidon ? shape.baseLevels() : shape.nodesLog();
    Object[] inner =
        json.object(
            PATH,
            0,
            k -> json.list(levels, i -> element(poseidon ? shape.poseidonArity(from + i) : 2)));
    return inner[0];
  }

  private PathElement element(int arity) {
    Object[] v =
        json.object(
            ELEMENT,
            0,
            key -> key == 0 ? json.nodes(arity - 1) : (Object) json.number(0, arity - 1L));
    return new PathElement((byte[]) v[0], (int) (long) v[1]);
  }
}
