package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.field.Fr;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Satisfaction;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sealed sectors of the tree shapes without golden witnesses satisfy the circuit of their shape.
 */
class SealedCircuitTest {
  @ParameterizedTest
  @ValueSource(strings = {"4KiB", "32KiB"})
  void sealedSectorsSatisfyTheirCircuit(String size) {
    SectorShape shape = SectorShape.of(size);
    RegisteredProof proof = RegisteredProof.fromName("StackedDrg2KiBV1_1");
    byte[] data = new byte[(int) Fr32.capacity(shape.sectorBytes())];
    new Random(9).nextBytes(data);
    byte[] seed = new byte[32];
    seed[0] = 9;
    PartitionInput input;
    try (Workers workers = Workers.of(2)) {
      SealRequest request = new SealRequest(proof, shape, 1, 2, new byte[32], data);
      input =
          PartitionInput.of(new Sealer(workers, SealProgress.NONE).seal(request).commit1(seed), 0);
    }
    StackedCircuit circuit = StackedCircuit.of(input);
    assertThat(Satisfaction.firstBrokenRow(circuit)).isEmpty();
    Assignment assignment = ProvingAssignment.of(circuit);
    long[] inputs = new long[assignment.inputs() * Fr.WORDS];
    assignment.readInputs(0, assignment.inputs(), inputs, 0);
    long[] withoutOne = Arrays.copyOfRange(inputs, Fr.WORDS, inputs.length);
    assertThat(withoutOne).isEqualTo(PublicInputs.of(input));
  }
}
