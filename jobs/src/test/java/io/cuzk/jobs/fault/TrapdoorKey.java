package io.cuzk.jobs.fault;

import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.CompiledCircuit;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import io.cuzk.field.Fr;
import io.cuzk.groth16.CircuitShape;
import io.cuzk.groth16.DigestSidecar;
import io.cuzk.groth16.FileDigest;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.jobs.KeyFiles;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.StackedCircuits;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;

/**
 * Parameters whose secrets are known, with which a proof that verifies is made in milliseconds: the
 * simulator of Groth's proof of zero knowledge. The verifying key is a real one, so that the
 * verifier accepts only proofs for the public inputs; the sections of points have their lengths and
 * hold zeros (a sparse file), since nobody reads them.
 */
public final class TrapdoorKey {
  private static final BigInteger R = Fr.MODULUS;
  private static final BigInteger ALPHA = BigInteger.valueOf(0x1_2345_6789L);
  private static final BigInteger BETA = BigInteger.valueOf(0x2_3456_789aL);
  private static final BigInteger GAMMA = BigInteger.valueOf(0x3_4567_89abL);
  private static final BigInteger DELTA = BigInteger.valueOf(0x4_5678_9abcL);

  private TrapdoorKey() {}

  /** Writes the files of a shape, with digests and compiled circuit, if they are not there. */
  public static KeyFiles write(Path directory, SectorShape shape) throws IOException {
    Files.createDirectories(directory);
    KeyFiles files = KeyFiles.of(directory, shape);
    if (files.present()) {
      return files;
    }
    CompiledCircuit circuit = StackedCircuits.load(directory, shape);
    byte[] vk = verifyingKey(circuit.inputs());
    Files.write(files.vk(), vk);
    digest(files.vk());
    CircuitShape size = new CircuitShape(circuit.inputs(), circuit.aux(), circuit.rows());
    long denseB = (long) circuit.bInputs().count() + circuit.bAux().count();
    long[] counts = {
      size.domain() - 1,
      circuit.aux(),
      (long) circuit.inputs() + circuit.aAux().count(),
      denseB,
      denseB
    };
    try (RandomAccessFile out = new RandomAccessFile(files.params().toFile(), "rw")) {
      out.write(vk);
      for (int section = 0; section < counts.length; section++) {
        out.writeInt((int) counts[section]);
        out.seek(out.getFilePointer() + counts[section] * (section == 4 ? 192 : 96));
      }
      out.setLength(out.getFilePointer());
    }
    digest(files.params());
    return files;
  }

  private static void digest(Path file) {
    new DigestSidecar(file.getFileName().toString(), "test", FileDigest.of(file), List.of())
        .write(file);
  }

  /** Whether a key is one of these: its verifying key says so, wherever its file lies. */
  static boolean isOf(ProvingKey key) {
    byte[] alpha = uncompressed(Group.G1, ALPHA);
    return Arrays.equals(alpha, Arrays.copyOf(key.vk().toBytes(), alpha.length));
  }

  private static byte[] verifyingKey(int inputs) {
    ByteBuffer out = ByteBuffer.allocate(3 * 96 + 3 * 192 + 4 + 96 * inputs);
    out.put(uncompressed(Group.G1, ALPHA));
    out.put(uncompressed(Group.G1, BETA));
    out.put(uncompressed(Group.G2, BETA));
    out.put(uncompressed(Group.G2, GAMMA));
    out.put(uncompressed(Group.G1, DELTA));
    out.put(uncompressed(Group.G2, DELTA));
    out.putInt(inputs);
    for (int i = 0; i < inputs; i++) {
      out.put(uncompressed(Group.G1, weight(i)));
    }
    return out.array();
  }

  private static BigInteger weight(int input) {
    return BigInteger.valueOf(1000 + 17L * input);
  }

  /** A proof for the public inputs of an assignment. */
  static Proof prove(Assignment assignment) {
    SecureRandom random = new SecureRandom();
    BigInteger a = new BigInteger(250, random).add(BigInteger.ONE);
    BigInteger b = new BigInteger(250, random).add(BigInteger.ONE);
    int count = assignment.inputs();
    long[] inputs = new long[Fr.WORDS * count];
    assignment.readInputs(0, count, inputs, 0);
    BigInteger x = BigInteger.ZERO;
    for (int i = 0; i < count; i++) {
      x = x.add(weight(i).multiply(Fr.toBigInteger(inputs, Fr.WORDS * i)));
    }
    BigInteger c =
        a.multiply(b)
            .subtract(ALPHA.multiply(BETA))
            .subtract(x.multiply(GAMMA))
            .multiply(DELTA.modInverse(R))
            .mod(R);
    byte[] proof = new byte[Proof.BYTES];
    PointEncoding.encodeCompressed(Group.G1, proof, 0, multiple(Group.G1, a), 0);
    PointEncoding.encodeCompressed(Group.G2, proof, 48, multiple(Group.G2, b), 0);
    PointEncoding.encodeCompressed(Group.G1, proof, 144, multiple(Group.G1, c), 0);
    return Proof.decode(proof);
  }

  private static byte[] uncompressed(Group group, BigInteger scalar) {
    byte[] out = new byte[PointEncoding.uncompressedBytes(group)];
    PointEncoding.encodeUncompressed(group, out, 0, multiple(group, scalar), 0);
    return out;
  }

  private static long[] multiple(Group group, BigInteger scalar) {
    long[] affine = new long[group.affineWords()];
    group.generator(affine, 0);
    long[] point = new long[group.jacobianWords()];
    group.fromAffine(point, 0, affine, 0);
    long[] s = new long[Fr.WORDS];
    Fr.fromBigInteger(s, 0, scalar);
    Fr.toCanonical(s, 0, s, 0);
    group.mul(point, 0, point, 0, s, 0);
    group.toAffine(affine, 0, point, 0);
    return affine;
  }
}
