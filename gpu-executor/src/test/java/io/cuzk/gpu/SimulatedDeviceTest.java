package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.DeviceException;
import io.cuzk.gpu.simulator.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

final class SimulatedDeviceTest extends GpuDeviceTest {
  @Override
  GpuDevice open() {
    return SimulatedDevice.checking(32);
  }

  @Test
  @Override
  void anIllegalAddressLosesTheDevice() {
    super.anIllegalAddressLosesTheDevice();
  }

  /** What a device does by luck when a wait is missing, the simulator does every time. */
  @Test
  void aMissingWaitIsFound() {
    try (GpuDevice device = open()) {
      DeviceStream upload = device.stream();
      DeviceStream compute = device.stream();
      DeviceBuffer from = device.allocate(64);
      DeviceBuffer to = device.allocate(64);
      device.upload(from, MemorySegment.ofArray(new byte[64]), upload);
      device.copy(to, from, compute);
      assertThatThrownBy(compute::synchronize)
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("were never written");
    }
  }

  /** The other order: a stream gets on while the host waits for another one. */
  @Test
  void aMissingWaitOfWhatCameFirstIsFound() {
    try (GpuDevice device = SimulatedDevice.eager(1)) {
      DeviceStream upload = device.stream();
      DeviceStream compute = device.stream();
      DeviceBuffer from = device.allocate(64);
      DeviceBuffer to = device.allocate(64);
      device.upload(from, MemorySegment.ofArray(new byte[64]), upload);
      device.copy(to, from, compute);
      assertThatThrownBy(upload::synchronize)
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("were never written");
    }
  }

  @Test
  void hostMemoryIsReadWhenTheCopyRuns() {
    try (Arena arena = Arena.ofConfined();
        GpuDevice device = open();
        DeviceStream stream = device.stream();
        DeviceBuffer buffer = device.allocate(8)) {
      MemorySegment host = arena.allocate(8, 8);
      host.set(ValueLayout.JAVA_LONG, 0, 1);
      device.upload(buffer, host, stream);
      host.set(ValueLayout.JAVA_LONG, 0, 2);
      MemorySegment back = arena.allocate(8, 8);
      device.download(back, buffer, stream);
      stream.synchronize();
      assertThat(back.get(ValueLayout.JAVA_LONG, 0)).as("changed too early").isEqualTo(2);
    }
  }
}
