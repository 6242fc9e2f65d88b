package io.cuzk.circuit;

import io.cuzk.r1cs.ConstraintMatrices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Writes the parts of a compiled circuit as bytes: numbers in groups of seven bits, the lowest
 * first, negative ones folded in; field elements and bit sets as whole words. Not thread-safe.
 */
final class Packer {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  Packer number(long value) {
    long rest = value << 1 ^ value >> 63;
    while ((rest & ~0x7fL) != 0) {
      bytes.write((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
    return this;
  }

  Packer text(String text) {
    return bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  Packer bytes(byte[] value) {
    number(value.length);
    bytes.writeBytes(value);
    return this;
  }

  Packer ints(int[] values) {
    number(values.length);
    for (int value : values) {
      number(value);
    }
    return this;
  }

  /** Numbers that grow: their differences. */
  Packer ascending(int[] values) {
    number(values.length);
    int last = 0;
    for (int value : values) {
      number(value - last);
      last = value;
    }
    return this;
  }

  Packer words(long[] values, int n) {
    number(n);
    for (int i = 0; i < n; i++) {
      for (int shift = 0; shift < 64; shift += 8) {
        bytes.write((int) (values[i] >>> shift));
      }
    }
    return this;
  }

  /** Deflates bytes. */
  static byte[] deflate(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION);
    try (DeflaterOutputStream stream = new DeflaterOutputStream(out, deflater, 1 << 14)) {
      stream.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }

  /** The bytes of matrices as {@link Unpacker#matrices} reads them. */
  static byte[] matrices(ConstraintMatrices m) {
    Packer p = new Packer();
    p.number(m.inputs()).number(m.aux()).number(m.rows());
    p.words(m.table(), m.table().length);
    for (int matrix = 0; matrix < 3; matrix++) {
      p.number(m.nonZeros(matrix));
      int first = 0;
      for (int row = 0; row < m.rows(); row++) {
        int from = m.start(matrix, row);
        int to = m.start(matrix, row + 1);
        p.number(to - from);
        int last = first;
        for (int k = from; k < to; k++) {
          p.number(m.variable(matrix, k) - last);
          p.number(m.coefficient(matrix, k));
          last = m.variable(matrix, k);
          first = k == from ? last : first;
        }
      }
    }
    return p.toBytes();
  }

  Packer template(Template t) {
    text(t.block);
    number(t.bitExternals).number(t.externals).number(t.aux).number(t.inputs).number(t.rows);
    words(t.isNumber, t.isNumber.length);
    number(t.results.length);
    for (long result : t.results) {
      number(result);
    }
    ints(t.program).ints(t.windowsA).ints(t.windowsB);
    ascending(t.wideA).ascending(t.wideB);
    words(t.constants, t.constants.length);
    words(t.aAux.words(), t.aAux.size() + 63 >>> 6);
    words(t.bAux.words(), t.bAux.size() + 63 >>> 6);
    words(t.bInputs.words(), t.bInputs.size() + 63 >>> 6);
    return number(t.matricesBytes).bytes(t.packedMatrices);
  }

  /** A whole circuit; bases follow from the templates and the private inputs between them. */
  Packer circuit(CompiledCircuit circuit) {
    number(circuit.inputs()).number(circuit.aux()).number(circuit.templates());
    for (Template template : circuit.allTemplates()) {
      template(template);
    }
    Instances i = circuit.instances();
    ints(i.template()).ascending(i.auxBase()).ascending(i.wireStart());
    for (int k = 0; k < i.count(); k++) {
      for (int w = i.wireStart()[k]; w < i.wireStart()[k + 1]; w += 2) {
        number((long) (i.wires()[w] & 0x7fffffff) - i.auxBase()[k] << 1 | i.wires()[w] >>> 31);
        number(i.wires()[w + 1]);
      }
    }
    return words(i.operandHash(), i.count()).ints(privateInputs(circuit));
  }

  /** The auxiliaries outside of blocks: so many bits, so many numbers, so many bits, … */
  private static int[] privateInputs(CompiledCircuit circuit) {
    Instances instances = circuit.instances();
    IntBuffer runs = new IntBuffer();
    long kind = 0;
    int run = 0;
    int place = 0;
    for (int k = 0; k <= instances.count(); k++) {
      int end = k == instances.count() ? circuit.aux() : instances.auxBase()[k];
      for (; place < end; place++) {
        if ((circuit.isNumber()[place >>> 6] >>> place & 1) != kind) {
          runs.add(run);
          run = 0;
          kind ^= 1;
        }
        run++;
      }
      if (k < instances.count()) {
        place += circuit.template(instances.template()[k]).aux;
      }
    }
    return runs.add(run).toArray();
  }
}
