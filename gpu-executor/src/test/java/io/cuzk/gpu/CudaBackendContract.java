package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.CompiledCircuit;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.curve.Group;
import io.cuzk.field.Fr;
import io.cuzk.gadget.AllocatedNum;
import io.cuzk.gadget.Bool;
import io.cuzk.gadget.Multipack;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.NativeKeyFile;
import io.cuzk.groth16.NativeKeyWriter;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.groth16.Progress;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.Verifier;
import io.cuzk.msm.Pippenger;
import io.cuzk.msm.Scalars;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.CpuBackend;
import io.cuzk.prover.HostPinning;
import io.cuzk.prover.Phase;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.SelfTest;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Whole proofs: the CPU's bytes for the same r and s, and they verify. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CudaBackendContract {
  private static final Blinding BLINDING =
      Blinding.forTests(
          "0f0e0d0c0b0a09080706050403020100f0e0d0c0b0a090807060504030201000",
          "1112131415161718191a1b1c1d1e1f2021222324252627282930313233343536");

  @TempDir static Path directory;

  private final Workers workers = Workers.of(2);
  private final Circuit circuit = new Mixed();
  private GpuDevice device;
  private long freeBefore;
  private CudaBackend backend;
  private ParameterFile parameters;
  private NativeKeyFile nativeKey;

  abstract GpuDevice open();

  /** Bits, numbers of full size, an input that is packed and one that is a square. */
  private record Mixed() implements Circuit {
    @Override
    public void synthesize(ConstraintSystem cs) {
      Bool[] bits = new Bool[40];
      for (int i = 0; i < bits.length; i++) {
        bits[i] = Bool.alloc(cs, i * i % 3 == 1);
      }
      for (int i = 0; i + 1 < bits.length; i += 2) {
        bits[i] = Bool.xor(cs, bits[i], bits[i + 1]);
      }
      Multipack.packIntoInput(cs, bits, bits.length);
      long[] third = new long[Fr.WORDS];
      Fr.setLong(third, 0, 3);
      Fr.inv(third, 0, third, 0);
      AllocatedNum x = AllocatedNum.alloc(cs, third, 0);
      for (int i = 0; i < 12; i++) {
        x = x.square(cs);
      }
      x.inputize(cs);
    }
  }

  @BeforeAll
  void openBackend() {
    Path params = directory.resolve("v28-mixed.params");
    ParameterGenerator.generate(
        circuit, params, directory.resolve("v28-mixed.vk"), workers, Progress.NONE);
    parameters = ParameterFile.open(params);
    nativeKey = NativeKeyFile.open(NativeKeyWriter.convert(params, workers, Progress.NONE).path());
    device = open();
    freeBefore = device.freeBytes();
    backend = CudaBackend.on(device, workers, HostPinning.RING);
  }

  @AfterAll
  void closeBackend() {
    if (backend != null) {
      backend.close();
    }
    if (nativeKey != null) {
      nativeKey.close();
    }
    if (parameters != null) {
      parameters.close();
    }
    workers.close();
  }

  private Proof prove(ProvingKey key, Assignment assignment, PhaseTimer timer) {
    return backend.prove(key, assignment, BLINDING, timer);
  }

  private static long[] publicInputs(Assignment assignment) {
    long[] inputs = new long[(assignment.inputs() - 1) * Fr.WORDS];
    assignment.readInputs(1, assignment.inputs() - 1, inputs, 0);
    return inputs;
  }

  @Test
  void proofsHaveTheCpusBytesAndVerify() {
    Assignment reference = ProvingAssignment.of(circuit);
    Assignment compact = CompiledCircuit.compile("mixed", circuit).assign(circuit, workers);
    ProvingKey key = parameters.provingKey();
    PhaseTimer timer = PhaseTimer.of(workers);
    Proof expected = CpuBackend.of(workers).prove(key, reference, BLINDING, PhaseTimer.of(workers));
    Proof found = prove(key, reference, timer);
    assertThat(found.hex()).isEqualTo(expected.hex());
    assertThat(Verifier.of(key.vk()).verify(found, publicInputs(reference))).isTrue();
    assertThat(timer.phases())
        .extracting(Phase::name)
        .containsExactlyInAnyOrder(
            "key.load",
            "upload",
            "quotient",
            "msm.h",
            "msm.l",
            "msm.a",
            "msm.b1",
            "msm.b2",
            "assemble",
            "split_vectors",
            "pre_lock_cpu",
            "mutex_wait",
            "ntt_msm_h",
            "barrier_wait",
            "batch_add",
            "tail_msm",
            "b_g2_msm",
            "gpu_total",
            "mutex_held",
            "async_dealloc");
    // The native key has h in another order, the compiled circuit its rows as small integers.
    long freeWithKey = device.freeBytes();
    PhaseTimer readied = PhaseTimer.of(workers);
    backend.ready(nativeKey.provingKey(), compact, readied);
    backend.ready(nativeKey.provingKey(), compact, readied);
    assertThat(readied.phases()).extracting(Phase::name).containsExactly("key.load");
    PhaseTimer then = PhaseTimer.of(workers);
    assertThat(prove(nativeKey.provingKey(), compact, then).hex()).isEqualTo(expected.hex());
    assertThat(then.phases()).extracting(Phase::name).doesNotContain("key.load");
    FreeMemory.requireBack(device, freeWithKey);
    PhaseTimer again = PhaseTimer.of(workers);
    assertThat(prove(nativeKey.provingKey(), reference, again).hex()).isEqualTo(expected.hex());
    assertThat(again.phases()).extracting(Phase::name).doesNotContain("key.load");
    FreeMemory.requireBack(device, freeWithKey);
    if (FreeMemory.isExact(device)) {
      assertThat(freeWithKey).isLessThan(freeBefore);
    }
  }

  /** 901 rows, checked against 192 bytes in the source. Half a minute of CPU on the simulator. */
  @Test
  @Tag("nightly")
  void theKnownAnswer() {
    assertThat(SelfTest.run(backend, workers).backend()).isEqualTo("cuda");
  }

  @Test
  void asMuchOfAKeyIsResidentAsFits() {
    ProvingKey key = parameters.provingKey();
    try (DeviceStream stream = device.stream();
        Staging staging = new Staging(device, stream, workers, HostPinning.RING)) {
      long baseline = device.freeBytes();
      // What a driver says may change from call to call; the plan is made from one answer.
      long free = 16 << 20;
      GpuDevice planned = PlantedDevice.before(device).saying(free).device();
      long first = key.h().size() * DevicePoints.pointBytes(Group.G1);
      try (DeviceKey some = DeviceKey.upload(planned, staging, key, free - first - 512)) {
        assertThat(some.h().isResident()).isTrue();
        assertThat(some.bG2().isResident()).isFalse();
      }
      FreeMemory.requireBack(device, baseline);
      assertThatThrownBy(() -> DeviceKey.upload(planned, staging, key, free + 1))
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining("takes at least %d bytes".formatted(free + 1))
          .hasMessageContaining("%d free".formatted(free));
    }
  }

  /** Nothing of the key is resident: every list goes over in chunks. */
  @Test
  void aKeyThatDoesNotFitIsUploadedAtEachUse() {
    Assignment reference = ProvingAssignment.of(circuit);
    ProvingKey key = parameters.provingKey();
    QuerySum sums = backend.sums();
    QueryValues values =
        QueryValues.of(reference, true, reference.bInputs(), reference.bAux(), workers);
    for (var points : List.of(key.bG1(), key.bG2())) {
      DevicePoints uploaded = new DevicePoints(points, null);
      long[] expected = new long[points.group().jacobianWords()];
      Pippenger.multiExp(points, Scalars.of(canonical(reference)), workers, expected, 0);
      long[] found;
      try (QueryBuffers scalars = QueryBuffers.upload(device, backend.staging(), values)) {
        backend.staging().before(backend.compute());
        found = PartialSums.total(sums.ones(uploaded, scalars), sums.others(uploaded, scalars));
      }
      long[] affine = new long[points.group().affineWords()];
      points.group().toAffine(affine, 0, found, 0);
      long[] wanted = new long[affine.length];
      points.group().toAffine(wanted, 0, expected, 0);
      assertThat(affine).as(points.group().name()).isEqualTo(wanted);
    }
  }

  /** The scalars of the query B, in its order. */
  private static long[] canonical(Assignment assignment) {
    int inputs = assignment.bInputs().count();
    long[] out = new long[(inputs + assignment.bAux().count()) * Fr.WORDS];
    int next = 0;
    for (int i = 0; i < assignment.inputs(); i++) {
      if (assignment.bInputs().isSet(i)) {
        assignment.readInputs(i, 1, out, Fr.WORDS * next++);
      }
    }
    for (int i = 0; i < assignment.aux(); i++) {
      if (assignment.bAux().isSet(i)) {
        assignment.readAux(i, 1, out, Fr.WORDS * next++);
      }
    }
    for (int i = 0; i < out.length; i += Fr.WORDS) {
      Fr.toCanonical(out, i, out, i);
    }
    return out;
  }
}
