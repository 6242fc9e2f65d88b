package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import io.cuzk.hash.Poseidon;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Checks a C1 output as its sealer should have: before proving, and on its own, since a circuit
 * that is not satisfied says nothing about why.
 *
 * <p>Checked are the challenges (from seed and replica_id by the proof type's rule), every Merkle
 * path with its indices, leaf and root, the parents against the graph, each column against its
 * leaf, the labels recomputed from their parents and these against the parents' columns, the
 * encoding, comm_c and comm_r_last over all challenges, and comm_r = H(comm_c, comm_r_last). With
 * miner and sector number replica_id is recomputed too, first of all. Thread-safe: stateless.
 */
public final class VanillaCheck {
  /** Faults after which a check gives up. */
  static final int MAX_FAULTS = 20;

  private static final int MAX_CANDIDATES = 4;

  private VanillaCheck() {}

  /**
   * What a check found.
   *
   * @param faults what does not hold, worst first; no more are sought after twenty
   * @param replicaIdChecked whether replica_id was recomputed from miner and sector number
   * @param unchecked what was not checked and why, one line each
   */
  public record Result(
      List<VanillaFault> faults, boolean replicaIdChecked, List<String> unchecked) {
    /** Copies the lists. */
    public Result {
      faults = List.copyOf(faults);
      unchecked = List.copyOf(unchecked);
    }

    /** Whether everything that was checked holds. */
    public boolean good() {
      return faults.isEmpty();
    }

    /** The first fault and the number of others, in one line; "good" without any. */
    public String message() {
      if (faults.isEmpty()) {
        return "good";
      }
      String more =
          faults.size() == 1
              ? ""
              : " (and "
                  + (faults.size() - 1)
                  + (faults.size() < MAX_FAULTS ? "" : " or more")
                  + " other faults)";
      return faults.getFirst().message() + more;
    }
  }

  /**
   * Checks an output.
   *
   * @param miner the id in t0…; replica_id is checked if both are given
   * @param sector the sector number
   * @throws InvalidInputException with the first fault if something does not hold
   */
  public static Result check(Commit1Output c1, OptionalLong miner, OptionalLong sector) {
    Result result = inspect(c1, miner, sector);
    if (!result.good()) {
      throw new InvalidInputException(result.message());
    }
    return result;
  }

  /**
   * Checks a file: as its output, and what it says of miner and sector against what is given. What
   * is not given is taken from the file.
   *
   * @throws InvalidInputException naming the file, with the first fault
   */
  public static Result check(Commit1File file, OptionalLong miner, OptionalLong sector) {
    Result result = inspect(file, miner, sector);
    if (!result.good()) {
      throw new InvalidInputException(file.name() + ": " + result.message());
    }
    return result;
  }

  /** As {@link #check(Commit1Output, OptionalLong, OptionalLong)}; faults are in the result. */
  public static Result inspect(Commit1Output c1, OptionalLong miner, OptionalLong sector) {
    Optional<byte[]> proverId =
        miner.isPresent() ? Optional.of(ReplicaId.proverId(miner.getAsLong())) : Optional.empty();
    return inspect(c1, proverId, sector, new ArrayList<>());
  }

  /** As {@link #check(Commit1File, OptionalLong, OptionalLong)}; faults are in the result. */
  public static Result inspect(Commit1File file, OptionalLong miner, OptionalLong sector) {
    List<VanillaFault> faults = new ArrayList<>();
    OptionalLong number = file.sectorNumber();
    if (number.isPresent() && sector.isPresent() && number.getAsLong() != sector.getAsLong()) {
      faults.add(
          VanillaFault.ofSector(
              file.form() == Commit1File.Form.BINCODE ? "sector_id" : Commit1Wrapper.SECTOR_NUM,
              "found " + number.getAsLong() + ", expected sector " + sector.getAsLong()));
    }
    Optional<byte[]> proverId = file.proverId();
    if (miner.isPresent()) {
      byte[] given = ReplicaId.proverId(miner.getAsLong());
      if (proverId.isPresent() && !Arrays.equals(given, proverId.get())) {
        faults.add(
            VanillaFault.ofSector(
                "prover_id",
                "found "
                    + Nodes.hex(proverId.get(), 0)
                    + ", expected that of miner "
                    + miner.getAsLong()));
      }
      proverId = Optional.of(given);
    }
    return inspect(file.output(), proverId, sector.isPresent() ? sector : number, faults);
  }

  private static Result inspect(
      Commit1Output c1, Optional<byte[]> proverId, OptionalLong sector, List<VanillaFault> faults) {
    List<String> unchecked = new ArrayList<>();
    boolean identified = proverId.isPresent() && sector.isPresent();
    if (identified) {
      replicaId(c1, proverId.get(), sector.getAsLong(), faults);
    } else {
      String missing =
          proverId.isPresent()
              ? "sector number"
              : sector.isPresent() ? "miner" : "miner and sector number";
      unchecked.add("replica_id not checked: no " + missing + " given; nor the ticket with it");
    }
    if (!faults.isEmpty()) {
      unchecked.add("vanilla proofs not checked: they are of another sector");
      return new Result(faults, identified, unchecked);
    }
    long[][] challenges = new long[c1.partitions().size()][];
    for (int p = 0; p < challenges.length; p++) {
      challenges[p] =
          Challenges.of(c1.proof(), c1.shape(), c1.replicaId(), c1.commR(), c1.seed(), p);
    }
    if (foreign(c1, challenges)) {
      ChallengeProof first = c1.partitions().getFirst().getFirst();
      faults.add(
          VanillaFault.ofSector(
              "vanilla_proofs",
              "no challenge is one of seed and replica_id: the first is node "
                  + first.challenge()
                  + ", expected "
                  + challenges[0][0]
                  + "; the proofs are of another sector or seed"));
      unchecked.add("vanilla proofs not checked: they are of another sector or seed");
      return new Result(faults, identified, unchecked);
    }
    ChallengeCheck.Roots roots = roots(c1, faults);
    ChallengeCheck check = new ChallengeCheck(c1, roots, challenges, faults);
    for (int p = 0; p < challenges.length && faults.size() < MAX_FAULTS; p++) {
      for (int c = 0; c < challenges[p].length && faults.size() < MAX_FAULTS; c++) {
        check.challenge(p, c);
      }
    }
    return new Result(
        faults.subList(0, Math.min(faults.size(), MAX_FAULTS)), identified, unchecked);
  }

  private static void replicaId(
      Commit1Output c1, byte[] proverId, long sector, List<VanillaFault> faults) {
    byte[] expected = ReplicaId.of(proverId, sector, c1.ticket(), c1.commD(), c1.proof().porepId());
    if (!Arrays.equals(expected, c1.replicaId())) {
      faults.add(
          VanillaFault.ofSector(
              "replica_id",
              "found "
                  + Nodes.hex(c1.replicaId(), 0)
                  + ", expected "
                  + Nodes.hex(expected, 0)
                  + " for miner "
                  + minerName(proverId)
                  + ", sector "
                  + Long.toUnsignedString(sector)
                  + ", and this ticket and comm_d"));
    }
  }

  /** The miner id that unsigned LEB128 spells, or the bytes where they are no such id. */
  private static String minerName(byte[] proverId) {
    long id = 0;
    for (int i = 0; i < 10; i++) {
      id |= (proverId[i] & 0x7fL) << 7 * i;
      if (proverId[i] >= 0) {
        break;
      }
    }
    return Arrays.equals(proverId, ReplicaId.proverId(id))
        ? Long.toUnsignedString(id)
        : "of prover_id " + Nodes.hex(proverId, 0);
  }

  private static boolean foreign(Commit1Output c1, long[][] challenges) {
    for (int p = 0; p < challenges.length; p++) {
      for (int c = 0; c < challenges[p].length; c++) {
        ChallengeProof proof = c1.partitions().get(p).get(c);
        if (proof.challenge() == challenges[p][c]
            || proof.commD().leafIndex() == challenges[p][c]) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * The roots that the proofs are measured by. One proof's root may be the altered one, so that of
   * most proofs is taken, and of these the pair that yields comm_r.
   */
  private static ChallengeCheck.Roots roots(Commit1Output c1, List<VanillaFault> faults) {
    List<byte[]> commD = new ArrayList<>();
    List<byte[]> commC = new ArrayList<>();
    List<byte[]> commRLast = new ArrayList<>();
    for (List<ChallengeProof> partition : c1.partitions()) {
      for (ChallengeProof proof : partition) {
        commD.add(proof.commD().root());
        commRLast.add(proof.commRLast().root());
        commC.add(proof.cX().inclusion().root());
        proof.drgParents().forEach(parent -> commC.add(parent.inclusion().root()));
        proof.expParents().forEach(parent -> commC.add(parent.inclusion().root()));
      }
    }
    byte[] data = c1.commD();
    List<byte[]> dataRoots = byFrequency(commD);
    if (dataRoots.size() == 1 && !Arrays.equals(dataRoots.getFirst(), data)) {
      data = dataRoots.getFirst();
      faults.add(
          VanillaFault.ofSector(
              "comm_d",
              "found "
                  + Nodes.hex(c1.commD(), 0)
                  + ", expected the root of all comm_d_proofs, "
                  + Nodes.hex(data, 0)));
    }
    List<byte[]> columnRoots = byFrequency(commC);
    List<byte[]> replicaRoots = byFrequency(commRLast);
    for (byte[] column : columnRoots) {
      for (byte[] replica : replicaRoots) {
        if (Arrays.equals(commR(column, replica), c1.commR())) {
          return new ChallengeCheck.Roots(data, column, replica);
        }
      }
    }
    byte[] column = columnRoots.getFirst();
    byte[] replica = replicaRoots.getFirst();
    byte[] computed = commR(column, replica);
    faults.add(
        VanillaFault.ofSector(
            "comm_r",
            "found "
                + Nodes.hex(c1.commR(), 0)
                + ", expected "
                + (computed.length == 0 ? "another" : Nodes.hex(computed, 0))
                + ", the hash of comm_c "
                + Nodes.hex(column, 0)
                + " and comm_r_last "
                + Nodes.hex(replica, 0)));
    return new ChallengeCheck.Roots(data, column, replica);
  }

  /** H(comm_c, comm_r_last); empty if one is no field element. */
  private static byte[] commR(byte[] commC, byte[] commRLast) {
    if (!Nodes.isCanonical(commC, 0) || !Nodes.isCanonical(commRLast, 0)) {
      return new byte[0];
    }
    byte[] both = Arrays.copyOf(commC, 2 * Nodes.BYTES);
    System.arraycopy(commRLast, 0, both, Nodes.BYTES, Nodes.BYTES);
    byte[] hash = new byte[Nodes.BYTES];
    Poseidon.ofArity(2).hash(hash, 0, both, 0);
    return hash;
  }

  /** The few most frequent values, most frequent first. */
  private static List<byte[]> byFrequency(List<byte[]> values) {
    Map<ByteBuffer, Integer> counts = new LinkedHashMap<>();
    values.forEach(value -> counts.merge(ByteBuffer.wrap(value), 1, Integer::sum));
    return counts.entrySet().stream()
        .sorted(Map.Entry.<ByteBuffer, Integer>comparingByValue(Comparator.reverseOrder()))
        .limit(MAX_CANDIDATES)
        .map(entry -> entry.getKey().array())
        .toList();
  }
}
