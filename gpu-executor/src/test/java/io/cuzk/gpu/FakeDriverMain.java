package io.cuzk.gpu;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.cuzk.CuzkException;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackends;
import io.cuzk.prover.ProverDevice;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** What {@link FakeDriverTest} runs in a JVM of its own. */
final class FakeDriverMain {
  private FakeDriverMain() {}

  /** The first argument is the mode. */
  public static void main(String[] arguments) {
    try {
      switch (arguments[0]) {
        case "contract" -> tests(selectClass(JCudaDeviceTest.class));
        case "illegal" -> illegal();
        case "list" -> {
          System.out.println("unavailable: " + Devices.unavailable().orElse("no"));
          Devices.list().forEach(info -> System.out.println(info));
        }
        case "devices" -> {
          System.out.println("chosen: " + ProverBackends.choose("auto").name());
          for (ProverDevice device : ProverBackends.choose("cuda").devices()) {
            System.out.println(
                device.device() + ": " + device.memoryBytes() + " " + device.facts());
          }
        }
        case "addresses" -> {
          for (String address : List.of("1", "GPU-2021", "0000:42:00.0")) {
            try (Workers workers = Workers.single();
                ProverBackend backend = ProverBackends.choose("cuda").open(address, workers)) {
              System.out.println(address + " is " + backend.address().orElse("nowhere"));
            }
          }
        }
        case "backend" -> {
          try (Workers workers = Workers.single();
              ProverBackend backend = ProverBackends.choose("cuda").open(0, workers)) {
            System.out.println("opened " + backend.device() + " " + backend.facts());
          }
        }
        case "load" -> {
          try (GpuDevice device = Devices.open(0)) {
            device.load("contract", GpuDeviceTest.contract()).close();
            device.load("damaged", ".version 6.3\n.target sm_75\nnot code").close();
          }
        }
        case "module" -> {
          try (GpuDevice device = Devices.open(0);
              DeviceModule sort = device.load("sort")) {
            System.out.println("kernel " + sort.function("scan_tiles").name());
            System.out.println("code: " + DeviceCode.describe(device.info().architecture()));
          }
        }
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    } catch (CuzkException e) {
      System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
      System.exit(e.exitCode());
    }
  }

  private static void illegal() {
    JCudaDeviceTest test = new JCudaDeviceTest();
    test.start();
    test.anIllegalAddressLosesTheDevice();
    test.end();
    System.out.println("the device was lost as expected");
  }

  private static void tests(DiscoverySelector selector) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selector).build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    listener.getSummary().printFailuresTo(out, 30);
    out.println(
        "%d tests passed, %d failed, %d were skipped"
            .formatted(
                listener.getSummary().getTestsSucceededCount(),
                listener.getSummary().getTotalFailureCount(),
                listener.getSummary().getTestsSkippedCount()
                    + listener.getSummary().getContainersSkippedCount()));
    System.exit(listener.getSummary().getTotalFailureCount() == 0 ? 0 : 1);
  }
}
