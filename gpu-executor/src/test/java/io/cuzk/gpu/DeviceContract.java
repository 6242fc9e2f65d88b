package io.cuzk.gpu;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Tests of kernels on a device that a subclass names: simulated or real. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DeviceContract {
  static final Random RANDOM = new Random(20261130);

  GpuDevice device;
  DeviceKernels kernels;
  DeviceStream stream;
  private long freeBefore;

  abstract GpuDevice open();

  @BeforeAll
  void openDevice() {
    device = open();
    stream = device.stream();
    kernels = new DeviceKernels(device);
    freeBefore = device.freeBytes();
  }

  @AfterAll
  void closeDevice() {
    if (device == null) {
      return;
    }
    kernels.close();
    stream.synchronize();
    FreeMemory.requireBack(device, freeBefore);
    stream.close();
    device.close();
  }

  DeviceBuffer upload(long[] words) {
    DeviceBuffer buffer = device.allocate(8L * words.length);
    device.upload(buffer, MemorySegment.ofArray(words), stream);
    stream.synchronize();
    return buffer;
  }

  long[] download(DeviceBuffer buffer, int words) {
    long[] out = new long[words];
    device.download(MemorySegment.ofArray(out), buffer, stream);
    stream.synchronize();
    return out;
  }

  static void put(long[] words, int at, int count, BigInteger value) {
    for (int i = 0; i < count; i++) {
      words[at + i] = value.shiftRight(64 * i).longValue();
    }
  }

  static BigInteger get(long[] words, int at, int count) {
    BigInteger value = BigInteger.ZERO;
    for (int i = count - 1; i >= 0; i--) {
      value = value.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(words[at + i])));
    }
    return value;
  }

  static BigInteger below(BigInteger modulus) {
    return new BigInteger(modulus.bitLength() + 64, RANDOM).mod(modulus);
  }
}
