package io.cuzk.r1cs;

import io.cuzk.field.Fr;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A reading without a witness that counts and digests a circuit. The digested stream holds every
 * row in order, the trailing input rows included: for A, B, C the number of terms (u32 LE) and for
 * each term the tagged column (u32 LE) and the coefficient (32 bytes, LE, canonical). Nothing is
 * kept but buffers. Not thread-safe.
 */
public final class RowDigest extends BlankReading {
  private static final int BUFFER = 1 << 18;
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * What is known about a circuit. The arrays of three are for A, B, C; digests are lower-case hex
   * SHA-256.
   *
   * @param rows with the trailing ones
   * @param blocks digests of the consecutive blocks of rows
   * @param landmarks of the namespaces up to the depth asked for, in the order of their closing
   */
  public record Result(
      int inputs,
      int aux,
      long rows,
      long[] nonZeros,
      long[] emptyRows,
      int[] maxTerms,
      long ones,
      long minusOnes,
      Density aAux,
      Density bInputs,
      Density bAux,
      String sha256,
      List<String> blocks,
      List<Landmark> landmarks) {}

  /** Where a namespace lies, half open, and the first eight bytes of its rows' SHA-256. */
  public record Landmark(
      String path,
      long fromRow,
      long toRow,
      int fromAux,
      int toAux,
      int fromInput,
      int toInput,
      String digest) {}

  private final int blockRows;
  private final int landmarkDepth;
  private final MessageDigest total = sha256();
  private final MessageDigest block = sha256();
  private final List<String> blocks = new ArrayList<>();
  private final List<Landmark> landmarks = new ArrayList<>();
  private final MessageDigest[] open;
  private final long[] openRow;
  private final int[] openAux;
  private final int[] openInput;
  private final Namespaces namespaces = new Namespaces();
  private final Density aAux = new Density();
  private final Density bInputs = new Density();
  private final Density bAux = new Density();
  private final long[] nonZeros = new long[3];
  private final long[] emptyRows = new long[3];
  private final int[] maxTerms = new int[3];
  private final long[] canonical = new long[Fr.WORDS];
  private byte[] buffer = new byte[BUFFER];
  private int filled;
  private long rows;
  private long ones;
  private long minusOnes;

  private RowDigest(int blockRows, int landmarkDepth) {
    if (blockRows < 1 || landmarkDepth < 0) {
      throw new IllegalArgumentException(blockRows + " rows a block, depth " + landmarkDepth);
    }
    this.blockRows = blockRows;
    this.landmarkDepth = landmarkDepth;
    open = new MessageDigest[landmarkDepth];
    Arrays.setAll(open, i -> sha256());
    openRow = new long[landmarkDepth];
    openAux = new int[landmarkDepth];
    openInput = new int[landmarkDepth];
    bInputs.append();
  }

  /**
   * Digests a circuit.
   *
   * @param blockRows rows of a block
   * @param landmarkDepth how deep namespaces are digested on their own; 0 for none
   */
  public static Result of(Circuit circuit, int blockRows, int landmarkDepth) {
    RowDigest digest = new RowDigest(blockRows, landmarkDepth);
    circuit.synthesize(digest);
    return digest.finish();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public int alloc(long[] value, int at) {
    aAux.append();
    bAux.append();
    return super.alloc(value, at);
  }

  @Override
  public int allocInput(long[] value, int at) {
    bInputs.append();
    return super.allocInput(value, at);
  }

  @Override
  protected void row(LinearCombination a, LinearCombination b, LinearCombination c) {
    put(0, a, null, aAux);
    put(1, b, bInputs, bAux);
    put(2, c, null, null);
    rows++;
    if (rows % blockRows == 0) {
      closeBlock();
    }
  }

  private void put(int matrix, LinearCombination lc, Density inputs, Density aux) {
    int n = lc.size();
    nonZeros[matrix] += n;
    maxTerms[matrix] = Math.max(maxTerms[matrix], n);
    if (n == 0) {
      emptyRows[matrix]++;
    }
    reserve(4 + 36 * n);
    byte[] out = buffer;
    int at = filled;
    INTS.set(out, at, n);
    at += 4;
    long[] coefficients = lc.coefficients();
    for (int i = 0; i < n; i++) {
      int variable = lc.variable(i);
      if (Variable.isAux(variable)) {
        if (aux != null) {
          aux.set(Variable.index(variable));
        }
      } else if (inputs != null) {
        inputs.set(variable);
      }
      INTS.set(out, at, variable);
      putCoefficient(out, at + 4, coefficients, i * Fr.WORDS);
      at += 36;
    }
    filled = at;
  }

  private void putCoefficient(byte[] out, int at, long[] coefficients, int k) {
    if (Fr.equal(coefficients, k, BitWords.ONE, 0)) {
      ones++;
    } else if (Fr.equal(coefficients, k, BitWords.MINUS_ONE, 0)) {
      minusOnes++;
    }
    Fr.toCanonical(canonical, 0, coefficients, k);
    LONGS.set(out, at, canonical[0]);
    LONGS.set(out, at + 8, canonical[1]);
    LONGS.set(out, at + 16, canonical[2]);
    LONGS.set(out, at + 24, canonical[3]);
  }

  private void reserve(int bytes) {
    if (filled + bytes > buffer.length) {
      flush();
      if (bytes > buffer.length) {
        buffer = new byte[bytes];
      }
    }
  }

  private void flush() {
    if (filled == 0) {
      return;
    }
    total.update(buffer, 0, filled);
    block.update(buffer, 0, filled);
    for (int i = 0; i < Math.min(namespaces.depth(), landmarkDepth); i++) {
      open[i].update(buffer, 0, filled);
    }
    filled = 0;
  }

  private void closeBlock() {
    flush();
    blocks.add(HexFormat.of().formatHex(block.digest()));
  }

  @Override
  public void enter(String name) {
    openLandmark();
    namespaces.enter(name);
  }

  @Override
  public void enter(String name, int index) {
    openLandmark();
    namespaces.enter(name, index);
  }

  private void openLandmark() {
    int depth = namespaces.depth();
    if (depth < landmarkDepth) {
      flush();
      openRow[depth] = rows;
      openAux[depth] = aAux.size();
      openInput[depth] = bInputs.size();
    }
  }

  @Override
  public void leave() {
    int depth = namespaces.depth();
    if (depth > 0 && depth <= landmarkDepth) {
      flush();
      landmarks.add(
          new Landmark(
              namespaces.path(),
              openRow[depth - 1],
              rows,
              openAux[depth - 1],
              aAux.size(),
              openInput[depth - 1],
              bInputs.size(),
              HexFormat.of().formatHex(open[depth - 1].digest(), 0, 8)));
    }
    namespaces.leave();
  }

  private Result finish() {
    trailingRows();
    if (rows % blockRows != 0) {
      closeBlock();
    }
    return new Result(
        bInputs.size(),
        aAux.size(),
        rows,
        nonZeros,
        emptyRows,
        maxTerms,
        ones,
        minusOnes,
        aAux,
        bInputs,
        bAux,
        HexFormat.of().formatHex(total.digest()),
        List.copyOf(blocks),
        List.copyOf(landmarks));
  }
}
