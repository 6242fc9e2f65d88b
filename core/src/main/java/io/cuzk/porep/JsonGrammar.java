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
import java.util.function.IntFunction;

/**
 * JSON of exactly known form, read as a stream: objects with given keys, lists of given lengths,
 * integers in given ranges, nodes as lists of 32 bytes. Each reading method finds the value's first
 * token current and leaves its last one current. What differs from the form is refused with its
 * place. Not thread-safe.
 */
final class JsonGrammar {
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

  private final JsonParser json;
  private final FieldPath path;
  private final String text;
  private String countsOf = "";

  /**
   * A reader of one text.
   *
   * @param text what the stream is, for messages about its end
   */
  JsonGrammar(InputStream in, FieldPath path, String text) {
    this.path = path;
    this.text = text;
    try {
      json = FACTORY.createParser(in);
    } catch (IOException e) {
      throw path.fault("not JSON: " + e.getMessage(), e);
    }
  }

  String text() {
    return text;
  }

  /** What expected counts come from, for messages. */
  void countsAreOf(String name) {
    countsOf = " for " + name;
  }

  JsonToken current() {
    return json.currentToken();
  }

  /** An object with these keys, each once; the last {@code optional} ones may be missing. */
  Object[] object(List<String> keys, int optional, IntFunction<Object> field) {
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
  Object oneOf(List<String> tags, IntFunction<Object> content) {
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
  <T> List<T> list(int count, IntFunction<T> element) {
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

  InvalidInputException tooMany(int count) {
    return path.fault("found more than " + count + " elements" + expectedCount(count));
  }

  String expectedCount(int count) {
    return ", expected " + count + countsOf;
  }

  /** A list of exactly {@code count} canonical nodes, joined. */
  byte[] nodes(int count) {
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

  byte[] node(boolean canonical) {
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

  Long number(long least, long most) {
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

  Object nothing() {
    if (json.currentToken() != JsonToken.VALUE_NULL) {
      throw expected("null");
    }
    return "";
  }

  void startArray() {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw expected("a list");
    }
  }

  InvalidInputException expected(String what) {
    return path.fault("found " + found() + " at byte " + offset() + ", expected " + what);
  }

  String found() {
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

  String string() {
    try {
      return json.getText();
    } catch (IOException e) {
      throw translate(e);
    }
  }

  void skip() {
    try {
      json.skipChildren();
    } catch (IOException e) {
      throw translate(e);
    }
  }

  JsonToken next() {
    try {
      return json.nextToken();
    } catch (IOException e) {
      throw translate(e);
    }
  }

  long offset() {
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
