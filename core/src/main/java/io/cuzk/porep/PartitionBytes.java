package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The form in which a partition travels: a format number, the shape, then nodes and indices without
 * lengths, since the shape gives them. Big-endian. Not a format for files.
 */
final class PartitionBytes {
  private static final byte FORMAT = 1;
  private static final int MAX_NAME = 64;

  private final SectorShape shape;
  private final ByteBuffer buffer;

  private PartitionBytes(SectorShape shape, ByteBuffer buffer) {
    this.shape = shape;
    this.buffer = buffer;
  }

  static byte[] write(PartitionInput input) {
    SectorShape shape = input.shape();
    byte[] name = shape.name().getBytes(StandardCharsets.UTF_8);
    if (name.length > MAX_NAME) {
      throw new IllegalArgumentException("shape name of " + name.length + " bytes");
    }
    ByteBuffer out = ByteBuffer.allocate(headBytes(name.length) + bodyBytes(shape));
    out.put(FORMAT).put((byte) input.proof().id()).put((byte) name.length).put(name);
    out.putLong(shape.sectorBytes());
    out.put((byte) shape.baseArity()).put((byte) shape.subArity()).put((byte) shape.topArity());
    out.put((byte) shape.layers());
    out.putShort((short) shape.partitions()).putShort((short) shape.challengesPerPartition());
    out.put((byte) (shape.registered() ? 1 : 0));
    out.putShort((short) input.partition());
    out.put(input.replicaId()).put(input.commD()).put(input.commR());
    out.put(input.commC()).put(input.commRLast()).put(input.seed());
    PartitionBytes body = new PartitionBytes(shape, out);
    for (ChallengeInput challenge : input.challenges()) {
      out.putLong(challenge.challenge());
      body.write(challenge.commD());
      body.write(challenge.commRLast());
      body.write(challenge.commC());
      challenge.drgParents().forEach(body::write);
      challenge.expParents().forEach(body::write);
    }
    if (out.hasRemaining()) {
      throw new IllegalArgumentException("a partition whose paths are not those of its shape");
    }
    return out.array();
  }

  private void write(ColumnProof proof) {
    buffer.putInt(proof.column().index()).put(proof.column().rows());
    write(proof.inclusion());
  }

  private void write(InclusionProof proof) {
    buffer.put(proof.root()).put(proof.leaf());
    for (PathElement element : proof.path()) {
      buffer.put((byte) element.index()).put(element.hashes());
    }
  }

  static PartitionInput read(byte[] bytes) {
    try {
      return read(ByteBuffer.wrap(bytes));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new InvalidInputException("garbled partition of " + bytes.length + " bytes: " + e, e);
    }
  }

  private static PartitionInput read(ByteBuffer in) {
    byte format = in.get();
    if (format != FORMAT) {
      throw new IllegalArgumentException("format " + format + ", expected " + FORMAT);
    }
    int proof = in.get() & 0xff;
    if (proof >= RegisteredProof.ALL.size()) {
      throw new IllegalArgumentException("registered proof " + proof);
    }
    int nameLength = in.get() & 0xff;
    if (nameLength > MAX_NAME) {
      throw new IllegalArgumentException("shape name of " + nameLength + " bytes");
    }
    byte[] name = bytes(in, nameLength);
    SectorShape shape =
        new SectorShape(
            new String(name, StandardCharsets.UTF_8),
            in.getLong(),
            in.get(),
            in.get(),
            in.get(),
            in.get(),
            in.getShort(),
            in.getShort(),
            flag(in.get()));
    int whole = headBytes(nameLength) + bodyBytes(shape);
    if (in.capacity() != whole) {
      throw new IllegalArgumentException("expected " + whole + " bytes");
    }
    int partition = in.getShort();
    final byte[] replicaId = bytes(in, Nodes.BYTES);
    final byte[] commD = bytes(in, Nodes.BYTES);
    final byte[] commR = bytes(in, Nodes.BYTES);
    final byte[] commC = bytes(in, Nodes.BYTES);
    final byte[] commRLast = bytes(in, Nodes.BYTES);
    final byte[] seed = bytes(in, Nodes.BYTES);
    PartitionBytes body = new PartitionBytes(shape, in);
    List<ChallengeInput> challenges = new ArrayList<>();
    for (int i = 0; i < shape.challengesPerPartition(); i++) {
      challenges.add(
          new ChallengeInput(
              in.getLong(),
              body.inclusion(false),
              body.inclusion(true),
              body.inclusion(true),
              body.columns(ChallengeProof.DRG_PARENTS),
              body.columns(ChallengeProof.EXP_PARENTS)));
    }
    return new PartitionInput(
        RegisteredProof.ALL.get(proof),
        shape,
        partition,
        replicaId,
        commD,
        commR,
        commC,
        commRLast,
        seed,
        challenges);
  }

  private static boolean flag(byte b) {
    if (b != 0 && b != 1) {
      throw new IllegalArgumentException("flag " + b);
    }
    return b == 1;
  }

  private List<ColumnProof> columns(int count) {
    List<ColumnProof> proofs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Column column = new Column(buffer.getInt(), bytes(buffer, shape.layers() * Nodes.BYTES));
      proofs.add(new ColumnProof(column, inclusion(true)));
    }
    return proofs;
  }

  private InclusionProof inclusion(boolean poseidon) {
    final byte[] root = bytes(buffer, Nodes.BYTES);
    final byte[] leaf = bytes(buffer, Nodes.BYTES);
    int levels = poseidon ? shape.poseidonLevels() : shape.nodesLog();
    List<PathElement> path = new ArrayList<>(levels);
    for (int i = 0; i < levels; i++) {
      int index = buffer.get();
      int arity = poseidon ? shape.poseidonArity(i) : 2;
      path.add(new PathElement(bytes(buffer, (arity - 1) * Nodes.BYTES), index));
    }
    return new InclusionProof(
        poseidon ? shape.poseidonForm() : InclusionProof.Form.SINGLE, root, leaf, path);
  }

  private static byte[] bytes(ByteBuffer in, int count) {
    if (count > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }

  private static int headBytes(int nameLength) {
    return 3 + nameLength + 8 + 4 + 4 + 1;
  }

  private static int bodyBytes(SectorShape shape) {
    int poseidon = 2 * Nodes.BYTES + shape.poseidonLevels();
    for (int i = 0; i < shape.poseidonLevels(); i++) {
      poseidon += (shape.poseidonArity(i) - 1) * Nodes.BYTES;
    }
    int columns = ChallengeProof.DRG_PARENTS + ChallengeProof.EXP_PARENTS;
    int challenge =
        8
            + 2 * Nodes.BYTES
            + shape.nodesLog() * (1 + Nodes.BYTES)
            + 2 * poseidon
            + columns * (4 + shape.layers() * Nodes.BYTES + poseidon);
    return 2 + 6 * Nodes.BYTES + challenge * shape.challengesPerPartition();
  }
}
