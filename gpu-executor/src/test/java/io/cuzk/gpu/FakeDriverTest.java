package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.gpu.FakeDriver.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JCuda layer with JCuda's own library on a driver that g++ built, faults included. */
final class FakeDriverTest {
  @TempDir private static Path directory;

  private static FakeDriver driver;

  @BeforeAll
  static void build() throws IOException, InterruptedException {
    driver = FakeDriver.build(directory);
  }

  private static String fails(Ended ended) {
    assertThat(ended.status()).as(ended.output()).isEqualTo(5);
    return ended.output();
  }

  @Test
  void theLayerDoesWhatEveryDeviceMustDo() throws Exception {
    Ended ended = driver.run("contract", Map.of());
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).containsPattern("1[0-9] tests passed, 0 failed, 0 were skipped");
  }

  @Test
  void anIllegalAddressLosesTheDevice() throws Exception {
    Ended ended = driver.run("illegal", Map.of());
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("the device was lost as expected");
  }

  /** 226, CUDA_ERROR_CONTAINED, is newer than JCuda; a code without a name loses the device too. */
  @Test
  void aCodeThatJCudaDoesNotKnowLosesTheDevice() throws Exception {
    for (String code : List.of("226", "810", "4711")) {
      Ended ended = driver.run("illegal", Map.of("FAKE_CUDA_FAULT", code));
      assertThat(ended.output()).contains("the device was lost as expected");
      assertThat(ended.status()).isZero();
    }
  }

  /** A thread that waits for the device leaves its core to synthesis. */
  @Test
  void waitsSleep() throws Exception {
    assertThat(driver.run("backend", Map.of("FAKE_CUDA_TELL", "1")).output())
        .contains("context flags 4", "event flags 1", "opened Fake GPU 0", "contexts left 0")
        .doesNotContain("event flags 0");
    assertThat(driver.run("backend", Map.of("FAKE_CUDA_FLAGS", "708")).output())
        .as("a context that another library has made")
        .contains("opened Fake GPU 0");
  }

  /** The host's memory is short, not the device's: nothing is tried in smaller pieces. */
  @Test
  void aRefusalToLockMemoryLeavesNoContext() throws Exception {
    assertThat(fails(driver.run("backend", Map.of("FAKE_CUDA_PIN", "2", "FAKE_CUDA_TELL", "1"))))
        .contains("the host has no 3145728 bytes that can be locked; raise ulimit -l")
        .contains("contexts left 0");
  }

  @Test
  void aDeviceThatDoesNotSayWhichItIsIsGivenBack() throws Exception {
    assertThat(fails(driver.run("load", Map.of("FAKE_CUDA_CURRENT", "101", "FAKE_CUDA_TELL", "1"))))
        .contains("cuCtxGetDevice: CUDA_ERROR_INVALID_DEVICE", "contexts left 0");
  }

  @Test
  void everyDeviceIsListed() throws Exception {
    String output = driver.run("list", Map.of()).output();
    assertThat(output)
        .contains("unavailable: no")
        .contains("Fake GPU 0", "GPU-10111213-1415-1617-1819-1a1b1c1d1e1f", "0000:41:00.0")
        .contains("Fake GPU 1", "GPU-20212223-2425-2627-2829-2a2b2c2d2e2f", "0000:42:00.0");
  }

  /** The driver's word counts, not what was asked for. */
  @Test
  void theAddressIsThatOfTheDeviceThatWasOpened() throws Exception {
    assertThat(driver.run("addresses", Map.of()).output())
        .contains("1 is 1\n", "GPU-2021 is GPU-2021\n", "0000:42:00.0 is 0000:42:00.0\n");
    String first = "GPU-10111213-1415-1617-1819-1a1b1c1d1e1f";
    assertThat(driver.run("addresses", Map.of("FAKE_CUDA_SWAPPED", "1")).output())
        .contains("1 is " + first, "GPU-2021 is " + first, "0000:42:00.0 is " + first);
  }

  /** JCuda's call gives a slice the UUID of the whole GPU. */
  @Test
  void slicesHaveTheirOwnNames() throws Exception {
    assertThat(driver.run("list", Map.of("FAKE_CUDA_SLICE", "1")).output())
        .contains("uuid=MIG-10111213-1415-1617-1819-1a1b1c1d1eee,");
  }

  /** Discovery counts by the bus, CUDA the fastest first unless it is told otherwise. */
  @Test
  void aNumberThatMayMeanTwoCardsIsRefused() throws Exception {
    assertThat(fails(driver.run("addresses", Map.of("FAKE_CUDA_FASTEST_FIRST", "1"))))
        .contains("device address \"1\" means one card to CUDA")
        .contains("[0000:42:00.0, 0000:41:00.0]", "CUDA_DEVICE_ORDER=PCI_BUS_ID");
    assertThat(fails(driver.run("addresses", Map.of("CUDA_VISIBLE_DEVICES", "4,5"))))
        .contains("device address \"1\" is none of CUDA_VISIBLE_DEVICES=\"4,5\"");
  }

  @Test
  void withoutADeviceTheReasonIsGiven() throws Exception {
    assertThat(fails(driver.run("list", Map.of("FAKE_CUDA_INIT", "100"))))
        .contains("CUDA_ERROR_NO_DEVICE", "nvidia-smi", "--backend cpu");
    assertThat(
            fails(
                driver.run("list", Map.of("FAKE_CUDA_DEVICES", "0", "CUDA_VISIBLE_DEVICES", "9"))))
        .contains("CUDA_ERROR_NO_DEVICE", "CUDA_VISIBLE_DEVICES is \"9\"");
    assertThat(fails(driver.run("list", Map.of("FAKE_CUDA_INIT", "802"))))
        .contains("CUDA_ERROR_SYSTEM_NOT_READY", "nvidia-fabricmanager");
    assertThat(fails(driver.run("list", Map.of("FAKE_CUDA_VERSION", "11040"))))
        .contains("the driver knows CUDA 11.4, needed is 12.0");
  }

  @Test
  void anotherProcessMayHaveTheDeviceAlone() throws Exception {
    assertThat(fails(driver.run("load", Map.of("FAKE_CUDA_RETAIN", "46"))))
        .contains("another process's alone", "Fake GPU 0");
  }

  @Test
  void codeForNewerDevicesIsRefusedBeforehand() throws Exception {
    assertThat(fails(driver.run("load", Map.of("FAKE_CUDA_SM", "70"))))
        .contains("Fake GPU 0 is sm_70; this build has code for sm_75 and newer");
  }

  @Test
  void aReleaseBringsWhatWasAssembledForADevice(@TempDir Path release) throws Exception {
    Path files = release.resolve("io/cuzk/gpu");
    CubinAssembler.assemble(files, List.of("sort"), List.of("sm_90"));
    String classes = "-Xbootclasspath/a:" + release;
    assertThat(driver.run("module", Map.of("FAKE_CUDA_SM", "90"), classes).output())
        .contains("an assembled module", "kernel scan_tiles", "code: assembled for sm_90");
    assertThat(driver.run("module", Map.of("FAKE_CUDA_SM", "89"), classes).output())
        .contains("kernel scan_tiles", "code: PTX, which the driver compiles for sm_89")
        .doesNotContain("an assembled module");

    Path lock = files.resolve(CubinAssembler.LOCK);
    String good = Files.readString(lock);
    String ptx =
        DeviceCode.sha256(Files.readAllBytes(KernelsLockTest.RESOURCES.resolve("sort.ptx")));
    assertThat(good).contains("ptx sort.ptx " + ptx);
    Files.writeString(lock, good.replace(ptx, DeviceCode.sha256(new byte[1])));
    assertThat(driver.run("module", Map.of("FAKE_CUDA_SM", "90"), classes).output())
        .as("made from other PTX")
        .contains("sort.ptx of this build is damaged: sha256 " + ptx, "by cubin/cubins.lock");

    Files.writeString(lock, good);
    Path cubin = files.resolve("cubin/sm_90/sort.cubin");
    byte[] bytes = Files.readAllBytes(cubin);
    bytes[bytes.length / 2] ^= 1;
    Files.write(cubin, bytes);
    assertThat(driver.run("module", Map.of("FAKE_CUDA_SM", "90"), classes).output())
        .contains("cubin/sm_90/sort.cubin of this build is damaged: sha256 ")
        .doesNotContain("an assembled module");
  }

  /** The log's room is passed by its value, as the driver wants it. */
  @Test
  void damagedCodeIsRefusedWithTheCompilersLog() throws Exception {
    assertThat(fails(driver.run("load", Map.of())))
        .contains("CUDA_ERROR_INVALID_PTX", "damaged", "ptxas fatal: no entry in 35 bytes");
  }

  /** JCuda loads whatever lies in the directory for temporary files under its library's name. */
  @Test
  void librariesOfOthersAreNotLoaded(@TempDir Path shared) throws Exception {
    Path planted = shared.resolve("libJCudaDriver-12.6.0-linux-x86_64.so");
    Files.writeString(planted, "half a library");
    Ended ended = driver.run("list", Map.of(), "-Djava.io.tmpdir=" + shared);
    assertThat(ended.output()).contains("unavailable: no");
    assertThat(planted).as("not touched").hasContent("half a library");
    assertThat(shared)
        .as("nothing is left behind")
        .isDirectoryNotContaining(f -> !f.equals(planted));
  }

  @Test
  void whereNothingCanBeUnpackedTheReasonIsGiven() throws Exception {
    Ended ended = driver.run("list", Map.of(), "-Djava.io.tmpdir=" + directory.resolve("absent"));
    assertThat(fails(ended)).contains("cannot be unpacked below", "set -Djava.io.tmpdir");
  }
}
