package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.DeviceException;
import io.cuzk.DeviceException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every device must do: the simulator, the driver through JCuda without a GPU (a fake driver)
 * and with one.
 */
abstract class GpuDeviceTest {
  private GpuDevice device;
  private DeviceStream stream;
  private long baseline;

  /** A device of at least 32 MiB. */
  abstract GpuDevice open();

  static String contract() {
    try (InputStream in = GpuDeviceTest.class.getResourceAsStream("contract.ptx")) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void start() {
    device = open();
    stream = device.stream();
    baseline = device.freeBytes();
  }

  @AfterEach
  void end() {
    device.close();
  }

  private static void refused(Kind kind, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(DeviceException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessageContaining(message);
  }

  private static MemorySegment random(Arena arena, long bytes, long seed) {
    MemorySegment segment = arena.allocate(bytes, 8);
    byte[] content = new byte[(int) bytes];
    new Random(seed).nextBytes(content);
    return segment.copyFrom(MemorySegment.ofArray(content));
  }

  @Test
  void itSaysWhatItIs() {
    DeviceInfo info = device.info();
    assertThat(info.name()).isNotBlank();
    assertThat(info.uuid()).startsWith("GPU-");
    assertThat(info.architecture()).matches("sm_\\d+");
    assertThat(info.totalBytes()).isGreaterThanOrEqualTo(baseline);
    assertThat(info.multiprocessors()).isPositive();
    assertThat(info.sharedBytesPerBlock()).isGreaterThanOrEqualTo(48 << 10);
  }

  @Test
  void bytesComeBackAsTheyWent() {
    try (Arena arena = Arena.ofConfined();
        DeviceBuffer buffer = device.allocate(5003)) {
      MemorySegment sent = random(arena, 5003, 1);
      MemorySegment back = arena.allocate(5003, 8);
      device.upload(buffer, sent, stream);
      device.download(back, buffer, stream);
      stream.synchronize();
      assertThat(back.mismatch(sent)).isEqualTo(-1);

      byte[] heap = new byte[100];
      device.download(MemorySegment.ofArray(heap), buffer.from(4), stream);
      stream.synchronize();
      assertThat(heap).isEqualTo(sent.asSlice(4, 100).toArray(ValueLayout.JAVA_BYTE));
      device.upload(buffer.slice(8, 100), MemorySegment.ofArray(heap), stream);
      device.download(back, buffer, stream);
      stream.synchronize();
      assertThat(back.asSlice(8, 100).mismatch(MemorySegment.ofArray(heap))).isEqualTo(-1);
    }
  }

  @Test
  void buffersAreFilledAndCopied() {
    try (Arena arena = Arena.ofConfined();
        DeviceBuffer a = device.allocate(1024);
        DeviceBuffer b = device.allocate(2048)) {
      device.fill(a, (byte) 0x5a, stream);
      device.fill(b, (byte) 0, stream);
      device.copy(b.from(512), a.slice(256, 256), stream);
      MemorySegment back = arena.allocate(2048, 8);
      device.download(back, b, stream);
      stream.synchronize();
      for (int i = 0; i < 2048; i++) {
        assertThat(back.get(ValueLayout.JAVA_BYTE, i))
            .isEqualTo((byte) (i >= 512 && i < 768 ? 0x5a : 0));
      }
    }
  }

  @Test
  void rangesEndWhereTheBufferEnds() {
    try (DeviceBuffer buffer = device.allocate(64)) {
      assertThatThrownBy(() -> buffer.slice(60, 8)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> buffer.slice(-1, 8)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> device.upload(buffer, MemorySegment.ofArray(new byte[65]), stream))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void kernelsGetTheirParametersInOrder() {
    int count = 1000;
    try (Arena arena = Arena.ofConfined();
        DeviceModule module = device.load("contract", contract());
        DeviceBuffer in = device.allocate(8L * count);
        DeviceBuffer out = device.allocate(8L * count)) {
      MemorySegment sent = random(arena, 8L * count, 2);
      MemorySegment back = arena.allocate(8L * count, 8);
      device.upload(in, sent, stream);
      device.fill(out, (byte) 0, stream);
      KernelArguments arguments = new KernelArguments();
      DeviceFunction function = module.function("add_scaled");
      long addend = 0x123456789abcdefL;
      arguments.pointer(out).pointer(in).i32(900).i64(addend);
      device.launch(function, 8, 128, 0, stream, arguments);
      // As soon as a launch returns its arguments may be used for another one.
      arguments.clear().pointer(out.from(8L * 900)).pointer(in.from(8L * 900)).i32(100).i64(-1);
      device.launch(function, 1, 128, 0, stream, arguments);
      device.download(back, out, stream);
      stream.synchronize();
      for (int i = 0; i < count; i++) {
        assertThat(back.getAtIndex(ValueLayout.JAVA_LONG, i))
            .isEqualTo(3 * sent.getAtIndex(ValueLayout.JAVA_LONG, i) + (i < 900 ? addend : -1));
      }
    }
  }

  @Test
  void aGridHasTwoSides() {
    try (DeviceModule module = device.load("contract", contract());
        DeviceBuffer out = device.allocate(4L * 5 * 3 * 32)) {
      device.launch(
          module.function("where_am_i"), 5, 3, 32, 0, stream, new KernelArguments().pointer(out));
      int[] back = new int[5 * 3 * 32];
      device.download(MemorySegment.ofArray(back), out, stream);
      stream.synchronize();
      for (int i = 0; i < back.length; i++) {
        assertThat(back[i]).isEqualTo(i / 32 % 5 | i / 32 / 5 << 8 | i % 32 << 16);
      }
    }
  }

  @Test
  void blocksGetTheSharedMemoryTheyAskFor() {
    try (DeviceModule module = device.load("contract", contract());
        DeviceBuffer data = device.allocate(4096)) {
      int[] words = new Random(3).ints(1024).toArray();
      DeviceFunction function = module.function("reverse");
      KernelArguments arguments = new KernelArguments().pointer(data);
      device.upload(data, MemorySegment.ofArray(words), stream);
      int large = 100 << 10;
      assertThatThrownBy(() -> device.launch(function, 1, 1024, large, stream, arguments))
          .isInstanceOf(DeviceException.class);
      function.allowSharedBytes(large);
      device.launch(function, 1, 1024, large, stream, arguments);
      int[] back = new int[1024];
      device.download(MemorySegment.ofArray(back), data, stream);
      stream.synchronize();
      for (int i = 0; i < 1024; i++) {
        assertThat(back[i]).isEqualTo(words[1023 - i]);
      }
    }
  }

  @Test
  void streamsWaitForEvents() {
    try (Arena arena = Arena.ofConfined();
        DeviceStream other = device.stream();
        DeviceEvent uploaded = device.event();
        DeviceEvent copied = device.event();
        DeviceBuffer a = device.allocate(1 << 20);
        DeviceBuffer b = device.allocate(1 << 20)) {
      MemorySegment sent = random(arena, 1 << 20, 4);
      MemorySegment back = arena.allocate(1 << 20, 8);
      device.upload(a, sent, stream);
      uploaded.record(stream);
      other.await(uploaded);
      device.copy(b, a, other);
      copied.record(other);
      stream.await(copied);
      device.download(back, b, stream);
      stream.synchronize();
      assertThat(back.mismatch(sent)).isEqualTo(-1);
      copied.synchronize();
      assertThat(copied.happened()).isTrue();
      assertThat(copied.millisSince(uploaded)).isBetween(0.0, 10_000.0);
    }
  }

  @Test
  void eventsThatNeverHappenedHaveNoTime() {
    try (DeviceEvent first = device.event();
        DeviceEvent second = device.event()) {
      first.record(stream);
      stream.synchronize();
      assertThatThrownBy(() -> second.millisSince(first)).isInstanceOf(DeviceException.class);
    }
  }

  @Test
  void memoryReturnsToItsBaseline() {
    for (int round = 0; round < 50; round++) {
      List<DeviceBuffer> held = new ArrayList<>();
      for (int k = 1; k <= 8; k++) {
        held.add(device.allocate(k * 100_000L));
      }
      if (FreeMemory.isExact(device)) {
        assertThat(device.freeBytes()).isLessThan(baseline);
      }
      held.forEach(DeviceBuffer::close);
      held.forEach(DeviceBuffer::close);
    }
    device.synchronize();
    FreeMemory.requireBack(device, baseline);
  }

  @Test
  void tooMuchMemoryIsRefusedAndLessFits() {
    long all = device.info().totalBytes();
    refused(
        Kind.OUT_OF_MEMORY, "%d bytes wanted".formatted(2 * all), () -> device.allocate(2 * all));
    try (DeviceBuffer buffer = device.allocate(1 << 20)) {
      assertThat(buffer.bytes()).isEqualTo(1 << 20);
    }
    FreeMemory.requireBack(device, baseline);
  }

  @Test
  void pagesArePinnedOnce() {
    try (Arena arena = Arena.ofConfined();
        DeviceBuffer buffer = device.allocate(1 << 20)) {
      MemorySegment segment = random(arena, 1 << 20, 5);
      MemorySegment back = arena.allocate(1 << 20, 4096);
      try (PinnedMemory pinned = device.pin(segment)) {
        assertThat(pinned).isNotNull();
        assertThatThrownBy(() -> device.pin(segment)).isInstanceOf(DeviceException.class);
        device.upload(buffer, segment, stream);
        device.download(back, buffer, stream);
        stream.synchronize();
      }
      assertThat(back.mismatch(segment)).isEqualTo(-1);
      device.pin(segment).close();
      refused(
          Kind.REFUSED, "only native memory", () -> device.pin(MemorySegment.ofArray(new int[9])));
    }
  }

  @Test
  void whatCannotRunIsRefused() {
    assertThatThrownBy(() -> device.load("broken", ".version 6.3\n.target sm_75\nnonsense"))
        .isInstanceOf(DeviceException.class);
    try (DeviceModule module = device.load("contract", contract())) {
      assertThatThrownBy(() -> module.function("absent")).isInstanceOf(DeviceException.class);
      KernelArguments none = new KernelArguments();
      DeviceFunction function = module.function("illegal");
      refused(Kind.REFUSED, "", () -> device.launch(function, 1, 1025, 0, stream, none));
      refused(Kind.REFUSED, "", () -> device.launch(function, 0, 32, 0, stream, none));
    }
    FreeMemory.requireBack(device, baseline); // a refusal loses nothing
  }

  @Test
  void anotherThreadMayCall() throws InterruptedException {
    List<Throwable> thrown = new ArrayList<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (DeviceBuffer buffer = device.allocate(4096)) {
                    device.fill(buffer, (byte) 1, stream);
                    stream.synchronize();
                  } catch (RuntimeException e) {
                    thrown.add(e);
                  }
                });
    thread.join();
    assertThat(thrown).isEmpty();
  }

  /** Last by nature: on a GPU the fault is the process's. Subclasses decide whether to run it. */
  void anIllegalAddressLosesTheDevice() {
    DeviceModule module = device.load("contract", contract());
    DeviceBuffer buffer = device.allocate(64);
    device.launch(module.function("illegal"), 1, 32, 0, stream, new KernelArguments());
    refused(Kind.FATAL, "", () -> stream.synchronize());
    refused(Kind.FATAL, "the device was lost before", () -> device.allocate(64));
    refused(Kind.FATAL, "the device was lost before", () -> device.fill(buffer, (byte) 0, stream));
    refused(Kind.FATAL, "the device was lost before", () -> device.freeBytes());
    // What a lost device held is gone with it; giving it back says nothing new.
    buffer.close();
    module.close();
    stream.close();
    device.close();
  }

  @Test
  void aClosedDeviceIsClosed() {
    device.close();
    refused(Kind.REFUSED, "closed", () -> device.allocate(64));
  }
}
