package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import io.cuzk.testing.Golden;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** What was sealed passes; whatever is altered in it is found where it was altered. */
class VanillaCheckTest {
  private static final OptionalLong NONE = OptionalLong.empty();
  private static final OptionalLong MINER = OptionalLong.of(1000);
  private static final OptionalLong SECTOR = OptionalLong.of(42);

  private static Commit1File file(String name) {
    return Commit1Codec.read(new ByteArrayInputStream(Golden.bytes(name)), name, Optional.empty());
  }

  @Test
  void goodOnes() {
    Commit1Output c1 = file("c1-2KiB.json").output();
    VanillaCheck.Result result = VanillaCheck.check(c1, NONE, NONE);
    assertThat(result.good()).isTrue();
    assertThat(result.replicaIdChecked()).isFalse();
    assertThat(result.unchecked())
        .containsExactly(
            "replica_id not checked: no miner and sector number given; nor the ticket with it");
    assertThat(VanillaCheck.check(c1, MINER, NONE).unchecked().getFirst())
        .contains("no sector number given");
    assertThat(VanillaCheck.check(c1, MINER, SECTOR).replicaIdChecked()).isTrue();
    assertThat(VanillaCheck.check(c1, MINER, SECTOR).unchecked()).isEmpty();
    // a compound tree
    assertThat(VanillaCheck.check(Commit1CodecTest.mini(), MINER, SECTOR).replicaIdChecked())
        .isTrue();
  }

  @Test
  void realOne() {
    Commit1File file = Commit1Codec.read(Golden.realdata("gevulot-fil/c2-input-8MiB.bincode"));
    VanillaCheck.Result result = VanillaCheck.check(file, NONE, NONE);
    assertThat(result.replicaIdChecked()).isTrue(); // the file says whose it is: t01006, 1498
    assertThat(VanillaCheck.check(file, OptionalLong.of(1006), OptionalLong.of(1498)).good())
        .isTrue();
    assertThatThrownBy(() -> VanillaCheck.check(file, OptionalLong.of(1007), NONE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("c2-input-8MiB.bincode: prover_id: found ee07")
        .hasMessageContaining("expected that of miner 1007");
    assertThatThrownBy(() -> VanillaCheck.check(file, NONE, OptionalLong.of(1499)))
        .hasMessageContaining("sector_id: found 1498, expected sector 1499");
  }

  @Test
  void wrongMinerOrSector() {
    Commit1File wrapped = file("c1-2KiB-wrapped.json");
    assertThat(VanillaCheck.check(wrapped, MINER, NONE).replicaIdChecked()).isTrue();
    assertThatThrownBy(() -> VanillaCheck.check(wrapped, OptionalLong.of(1001), NONE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("c1-2KiB-wrapped.json: replica_id: found 610d97fc")
        .hasMessageContaining("for miner 1001, sector 42");
    assertThatThrownBy(() -> VanillaCheck.check(wrapped, NONE, OptionalLong.of(43)))
        .hasMessageContaining("SectorNum: found 42, expected sector 43");
    assertThatThrownBy(() -> VanillaCheck.check(wrapped.output(), MINER, OptionalLong.of(43)))
        .hasMessageContaining("for miner 1000, sector 43");
    // a wrapper whose number is altered
    Commit1File other =
        new Commit1File(
            "other.json",
            wrapped.form(),
            wrapped.output(),
            OptionalLong.of(7),
            Optional.empty(),
            wrapped.sha256(),
            wrapped.bytes(),
            false);
    assertThatThrownBy(() -> VanillaCheck.check(other, MINER, NONE))
        .hasMessageContaining("other.json: replica_id: found ")
        .hasMessageContaining("for miner 1000, sector 7");
  }

  @Test
  void everyFieldOf2KiB() {
    int count = alterEverything(file("c1-2KiB.json").output(), 1);
    assertThat(count).isGreaterThan(900);
  }

  @Test
  void everyFieldOfCompoundTrees() {
    assertThat(alterEverything(Commit1CodecTest.mini().output(), 7)).isGreaterThan(120);
  }

  @Test
  void everyFieldOfTheRealOne() {
    Commit1File file = Commit1Codec.read(Golden.realdata("gevulot-fil/c2-input-8MiB.bincode"));
    assertThat(alterEverything(file.output(), 23)).isGreaterThan(70);
  }

  /** Alters one in {@code step} values and expects the fault there; returns how many. */
  private static int alterEverything(Commit1Output c1, int step) {
    List<Integer> counter = new ArrayList<>(List.of(0, 0));
    alter(
        c1,
        "",
        (where, altered) -> {
          counter.set(0, counter.get(0) + 1);
          boolean sector = !where.startsWith("partition");
          if (!sector && counter.get(0) % step != 0) {
            return;
          }
          counter.set(1, counter.get(1) + 1);
          Commit1Output output = (Commit1Output) altered;
          VanillaCheck.Result result = VanillaCheck.inspect(output, NONE, NONE);
          if (where.equals("ticket")) {
            assertThat(result.good()).isTrue(); // is only in replica_id
            assertThat(result.unchecked().getFirst()).contains("ticket");
            return;
          }
          assertThat(result.good()).as(where).isFalse();
          VanillaFault fault = result.faults().getFirst();
          if (where.equals("replica_id") || where.equals("seed")) {
            assertThat(fault.message()).startsWith("vanilla_proofs: no challenge is one of seed");
          } else {
            assertThat(fault.message()).startsWith(expected(where) + ": ").contains("expected ");
          }
        });
    return counter.get(1);
  }

  /** Where an alteration must be reported: a path that leads astray does not say at which hash. */
  private static String expected(String where) {
    if (where.contains(".hashes[")) {
      return where.substring(0, where.indexOf(".path["));
    }
    if (where.contains("leaf") && !where.contains("inclusion_proof")) {
      return where.substring(0, where.indexOf(".leaf"));
    }
    return where.contains(".rows[") ? where.substring(0, where.lastIndexOf('[')) : where;
  }

  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("Commit1Output.commR", "comm_r"),
          Map.entry("Commit1Output.commD", "comm_d"),
          Map.entry("Commit1Output.replicaId", "replica_id"),
          Map.entry("ChallengeProof.commD", "comm_d_proofs"),
          Map.entry("ChallengeProof.commRLast", "comm_r_last_proof"),
          Map.entry("ChallengeProof.cX", "replica_column_proofs.c_x"),
          Map.entry("ChallengeProof.drgParents", "replica_column_proofs.drg_parents"),
          Map.entry("ChallengeProof.expParents", "replica_column_proofs.exp_parents"),
          Map.entry("ChallengeProof.labeling", "labeling_proofs"),
          Map.entry("ChallengeProof.encoding", "encoding_proof"),
          Map.entry("ColumnProof.inclusion", "inclusion_proof"),
          Map.entry("LabelingProof.layer", "layer_index"),
          Map.entry("EncodingProof.layer", "layer_index"));

  /** Gives every value that differs from this one in one leaf, and the name of the leaf. */
  private static void alter(Object value, String name, BiConsumer<String, Object> to) {
    switch (value) {
      case byte[] nodes -> {
        for (int i = 0; i < nodes.length; i += 32) {
          byte[] copy = nodes.clone();
          copy[i] ^= 1;
          to.accept(
              nodes.length == 32 && !name.matches(".*(hashes|rows|parents)")
                  ? name
                  : name + "[" + i / 32 + "]",
              copy);
        }
      }
      case Integer number -> {
        to.accept(name, number + 1);
        to.accept(name, number - 1);
      }
      case Long number -> to.accept(name, number ^ 1);
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          int index = i;
          String element =
              name.equals("partitions")
                  ? "partition " + i
                  : name.startsWith("partition ") && !name.contains(",")
                      ? name + ", challenge " + i
                      : name + "[" + i + "]";
          alter(
              list.get(i),
              element,
              (where, altered) -> {
                List<Object> copy = new ArrayList<>(list);
                copy.set(index, altered);
                to.accept(where, copy);
              });
        }
      }
      case SectorShape shape -> assertThat(shape).isNotNull();
      case RegisteredProof proof -> assertThat(proof).isNotNull();
      case Record record -> alterRecord(record, name, to);
      default -> assertThat(value).isInstanceOf(InclusionProof.Form.class);
    }
  }

  private static void alterRecord(Record record, String name, BiConsumer<String, Object> to) {
    try {
      RecordComponent[] components = record.getClass().getRecordComponents();
      Object[] values = new Object[components.length];
      Class<?>[] types = new Class<?>[components.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = components[i].getAccessor().invoke(record);
        types[i] = components[i].getType();
      }
      Constructor<?> constructor = record.getClass().getDeclaredConstructor(types);
      for (int i = 0; i < values.length; i++) {
        int index = i;
        String component = components[i].getName();
        String field =
            NAMES.getOrDefault(record.getClass().getSimpleName() + "." + component, component);
        String separator =
            name.isEmpty() ? "" : name.matches("partition \\d+, challenge \\d+") ? ", " : ".";
        alter(
            values[i],
            name + separator + field,
            (where, altered) -> {
              Object[] copy = values.clone();
              copy[index] = altered;
              Object made;
              try {
                made = constructor.newInstance(copy);
              } catch (ReflectiveOperationException e) {
                assertThat(e).hasCauseInstanceOf(IllegalArgumentException.class);
                return; // the constructor's own check found it
              }
              to.accept(where, made);
            });
      }
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Commit1Output with(Commit1Output c1, List<List<ChallengeProof>> partitions) {
    return new Commit1Output(
        c1.proof(),
        c1.shape(),
        partitions,
        c1.commR(),
        c1.commD(),
        c1.replicaId(),
        c1.seed(),
        c1.ticket());
  }

  @Test
  void swappedAndRepeatedChallenges() {
    Commit1Output c1 = file("c1-2KiB.json").output();
    ChallengeProof first = c1.partitions().getFirst().get(0);
    ChallengeProof second = c1.partitions().getFirst().get(1);
    Commit1Output repeated = with(c1, List.of(List.of(first, first)));
    assertThatThrownBy(() -> VanillaCheck.check(repeated, MINER, SECTOR))
        .hasMessageStartingWith(
            "partition 0, challenge 1, labeling_proofs[0].node: found 61 (which is that of"
                + " partition 0, challenge 0), expected challenge 4 of seed and replica_id");
    Commit1Output swapped = with(c1, List.of(List.of(second, first)));
    assertThatThrownBy(() -> VanillaCheck.check(swapped, MINER, SECTOR))
        .hasMessageStartingWith("vanilla_proofs: no challenge is one of seed and replica_id");
  }

  @Test
  void ticketIsCheckedWithMinerAndSector() {
    Commit1Output c1 = file("c1-2KiB.json").output();
    byte[] ticket = c1.ticket().clone();
    ticket[31] ^= (byte) 0x80;
    Commit1Output altered =
        new Commit1Output(
            c1.proof(), c1.partitions(), c1.commR(), c1.commD(), c1.replicaId(), c1.seed(), ticket);
    assertThatThrownBy(() -> VanillaCheck.check(altered, MINER, SECTOR))
        .hasMessageStartingWith("replica_id: found ");
  }

  @Test
  void elementsThatAreNotCanonical() {
    Commit1Output c1 = file("c1-2KiB.json").output();
    ChallengeProof first = c1.partitions().getFirst().get(0);
    byte[] rows = first.cX().column().rows().clone();
    Arrays.fill(rows, 32, 64, (byte) 0xff);
    ChallengeProof altered =
        new ChallengeProof(
            first.commD(),
            first.commRLast(),
            new ColumnProof(new Column(61, rows), first.cX().inclusion()),
            first.drgParents(),
            first.expParents(),
            first.labeling(),
            first.encoding());
    Commit1Output output = with(c1, List.of(List.of(altered, c1.partitions().getFirst().get(1))));
    assertThat(VanillaCheck.inspect(output, NONE, NONE).message())
        .isEqualTo(
            "partition 0, challenge 0, replica_column_proofs.c_x.column.rows[1]: found "
                + "ff".repeat(32)
                + ", not below r");
  }
}
