package io.cuzk.circuit;

import io.cuzk.r1cs.ConstraintMatrices;
import io.cuzk.r1cs.Density;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads what {@link Packer} wrote. Lengths are held against the bytes that are left before anything
 * is allocated. Not thread-safe.
 */
final class Unpacker {
  private final byte[] bytes;
  private int at;

  Unpacker(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The bytes are not what was written. */
  static final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message);
    }
  }

  void end() {
    if (at != bytes.length) {
      throw new Malformed((bytes.length - at) + " bytes are left over");
    }
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at == bytes.length) {
        throw new Malformed("the bytes end early");
      }
      byte b = bytes[at++];
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return value >>> 1 ^ -(value & 1);
      }
    }
    throw new Malformed("a number of more than 64 bits");
  }

  int size() {
    return size(Integer.MAX_VALUE);
  }

  private int size(int most) {
    long n = number();
    if (n < 0 || n > most) {
      throw new Malformed(n + " where at most " + most + " fit");
    }
    return (int) n;
  }

  String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  byte[] bytes() {
    int n = size(bytes.length - at);
    at += n;
    return Arrays.copyOfRange(bytes, at - n, at);
  }

  int[] ints() {
    int[] values = new int[size(bytes.length - at)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (int) number();
    }
    return values;
  }

  int[] ascending() {
    int[] values = new int[size(bytes.length - at)];
    int last = 0;
    for (int i = 0; i < values.length; i++) {
      last += (int) number();
      values[i] = last;
    }
    return values;
  }

  long[] words() {
    long[] values = new long[size((bytes.length - at) / 8)];
    for (int i = 0; i < values.length; i++) {
      long value = 0;
      for (int shift = 0; shift < 64; shift += 8) {
        value |= (bytes[at++] & 0xffL) << shift;
      }
      values[i] = value;
    }
    return values;
  }

  /** Inflates to a known length. */
  static byte[] inflate(byte[] packed, int from, int length) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(packed, from, packed.length - from);
      byte[] plain = new byte[length];
      int n = inflater.inflate(plain);
      if (n != length) {
        throw new Malformed(n + " bytes inflated, not " + length);
      }
      return plain;
    } catch (DataFormatException e) {
      throw new Malformed(e.getMessage());
    } finally {
      inflater.end();
    }
  }

  static ConstraintMatrices matrices(byte[] packed, int length) {
    return new Unpacker(inflate(packed, 0, length)).matrices();
  }

  private ConstraintMatrices matrices() {
    int inputs = size();
    int aux = size();
    int rows = size(bytes.length);
    long[] table = words();
    int[][] starts = new int[3][rows + 1];
    int[][] variables = new int[3][];
    int[][] coefficients = new int[3][];
    for (int matrix = 0; matrix < 3; matrix++) {
      int terms = size(bytes.length);
      variables[matrix] = new int[terms];
      coefficients[matrix] = new int[terms];
      int k = 0;
      int first = 0;
      for (int row = 0; row < rows; row++) {
        int n = size(terms - k);
        int last = first;
        for (int i = 0; i < n; i++, k++) {
          last += (int) number();
          variables[matrix][k] = last;
          coefficients[matrix][k] = (int) number();
          first = i == 0 ? last : first;
        }
        starts[matrix][row + 1] = k;
      }
    }
    end();
    return new ConstraintMatrices(inputs, aux, starts, variables, coefficients, table);
  }

  Template template() {
    String block = text();
    int bitExternals = size();
    int externals = size();
    int aux = size();
    int inputs = size();
    int rows = size();
    long[] isNumber = words();
    long[] results = new long[size(bytes.length - at)];
    for (int i = 0; i < results.length; i++) {
      results[i] = number();
    }
    int[] program = ints();
    int[] windowsA = ints();
    int[] windowsB = ints();
    int[] wideA = ascending();
    int[] wideB = ascending();
    long[] constants = words();
    Density aAux = density(externals + aux);
    Density bAux = density(externals + aux);
    Density bInputs = density(inputs + 1);
    return new Template(
        block,
        bitExternals,
        externals,
        aux,
        inputs,
        rows,
        isNumber,
        results,
        program,
        windowsA,
        windowsB,
        wideA,
        wideB,
        constants,
        aAux,
        bAux,
        bInputs,
        size(),
        bytes());
  }

  private Density density(int size) {
    return Density.of(words(), size);
  }

  CompiledCircuit circuit(String name) {
    int inputs = size();
    int aux = size();
    Template[] templates = new Template[size(bytes.length - at)];
    for (int i = 0; i < templates.length; i++) {
      templates[i] = template();
    }
    int[] template = ints();
    int[] auxBase = ascending();
    int[] wireStart = ascending();
    int n = template.length;
    if (auxBase.length != n || wireStart.length != n + 1) {
      throw new Malformed("lists of instances differ in length");
    }
    int[] wires = new int[wireStart[n]];
    for (int k = 0; k < n; k++) {
      for (int w = wireStart[k]; w < wireStart[k + 1]; w += 2) {
        long start = number();
        wires[w] = (int) ((start >> 1) + auxBase[k]) | (int) start << 31;
        wires[w + 1] = (int) number();
      }
    }
    CircuitLayout layout = new CircuitLayout(templates, aux);
    long[] hashes = words();
    int[] privateInputs = ints();
    end();
    CompiledCircuit circuit =
        layout.circuit(name, template, auxBase, wireStart, wires, hashes, privateInputs);
    if (circuit.inputs() != inputs || hashes.length != n) {
      throw new Malformed("the blocks make %d inputs, not %d".formatted(circuit.inputs(), inputs));
    }
    return circuit;
  }
}
