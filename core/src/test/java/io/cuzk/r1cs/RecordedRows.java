package io.cuzk.r1cs;

import io.cuzk.field.Fr;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A reading that keeps rows and namespaces in clear, written without a thought for speed. */
public final class RecordedRows implements ConstraintSystem {
  /** A row and the namespace in which it was enforced. */
  public record Row(String path, LinearCombination a, LinearCombination b, LinearCombination c) {}

  /** Ends a synthesis of which only the first rows are wanted. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Witness witness = new Witness();
  private final Namespaces namespaces = new Namespaces();
  private final int limit;
  private final List<Row> rows = new ArrayList<>();
  private final List<Object[]> landmarks = new ArrayList<>();
  private final List<int[]> open = new ArrayList<>();

  private RecordedRows(int limit) {
    this.limit = limit;
  }

  /** Records a whole circuit. */
  public static RecordedRows of(Circuit circuit) {
    return of(circuit, Integer.MAX_VALUE);
  }

  /** Records the first rows of a circuit, whose synthesis is broken off there. */
  public static RecordedRows of(Circuit circuit, int limit) {
    RecordedRows recorded = new RecordedRows(limit);
    try {
      circuit.synthesize(recorded);
    } catch (Enough enough) {
      // as asked
    }
    return recorded;
  }

  @Override
  public boolean hasWitness() {
    return true;
  }

  @Override
  public int alloc(long[] value, int at) {
    return witness.alloc(value == null ? new long[4] : value, value == null ? 0 : at);
  }

  @Override
  public int allocInput(long[] value, int at) {
    return witness.allocInput(value, at);
  }

  @Override
  public void value(int variable, long[] out, int at) {
    witness.value(variable, out, at);
  }

  @Override
  public void enforce(LinearCombination a, LinearCombination b, LinearCombination c) {
    rows.add(new Row(namespaces.path(), a.copy(), b.copy(), c.copy()));
    if (rows.size() == limit) {
      throw new Enough();
    }
  }

  @Override
  public void enter(String name) {
    open.add(new int[] {rows.size(), witness.aux().size()});
    namespaces.enter(name);
  }

  @Override
  public void enter(String name, int index) {
    open.add(new int[] {rows.size(), witness.aux().size()});
    namespaces.enter(name, index);
  }

  @Override
  public void leave() {
    int[] from = open.removeLast();
    landmarks.add(
        new Object[] {namespaces.path(), from[0], rows.size(), from[1], witness.aux().size()});
    namespaces.leave();
  }

  public Witness witness() {
    return witness;
  }

  public List<Row> rows() {
    return rows;
  }

  /** Path, first and last row, first and last auxiliary, in the order of closing. */
  public List<Object[]> landmarks() {
    return landmarks;
  }

  /** The rows as the golden digests take them. */
  public byte[] stream() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (Row row : rows) {
        for (LinearCombination lc : List.of(row.a, row.b, row.c)) {
          out.writeInt(Integer.reverseBytes(lc.size()));
          for (int i = 0; i < lc.size(); i++) {
            byte[] coefficient = new byte[32];
            Fr.toBytes(coefficient, 0, lc.coefficients(), 4 * i);
            out.writeInt(Integer.reverseBytes(lc.variable(i)));
            out.write(coefficient);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
