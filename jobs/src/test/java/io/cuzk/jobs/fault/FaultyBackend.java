package io.cuzk.jobs.fault;

import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import io.cuzk.circuit.Assignment;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * A device that proves with a {@link TrapdoorKey} and fails as the files of a directory say (system
 * property {@code cuzk.faults}): {@code KIND-ADDRESS} or {@code KIND-any} always, {@code KIND-once}
 * for whoever takes the file away. Kinds: {@code wrong} (a proof that does not verify), {@code
 * error}, {@code lost} (a fatal error), {@code hang} (until the file is gone), {@code refuse} (when
 * it is opened), {@code stuck} (the driver does not answer when it is opened, until the file is
 * gone), {@code broken} (trouble with the host, at once), {@code busy} (the same, as if another
 * process had it), {@code selftest} (a wrong proof of the self-test), {@code die} (the process ends
 * at once). {@code delay} holds milliseconds that each proof takes, {@code delay-ADDRESS} those of
 * one device. What it began is in {@code log/}. With other keys it is the CPU.
 */
public final class FaultyBackend implements ProverBackend {
  /** The name that {@code --backend} takes. */
  public static final String NAME = "faulty";

  private final String address;
  private final Workers workers;

  private FaultyBackend(String address, Workers workers) {
    this.address = address;
    this.workers = workers;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String device() {
    return "faulty device " + address;
  }

  @Override
  public Optional<String> address() {
    return Optional.of(address);
  }

  @Override
  public Proof prove(ProvingKey key, Assignment assignment, Blinding blinding, PhaseTimer timer) {
    if (!TrapdoorKey.isOf(key)) {
      // opened here only: it waits for its vector kernels to be compiled
      Proof proof = ProverBackends.open("cpu", 0, workers).prove(key, assignment, blinding, timer);
      return happens("selftest") ? spoilt(proof) : proof;
    }
    log();
    if (happens("broken")) {
      throw new InfrastructureException("the disk beside " + device() + " is broken, as was asked");
    }
    long delay = delay();
    timer.run("quotient", () -> sleep(delay));
    if (happens("die")) {
      Runtime.getRuntime().halt(137);
    }
    if (happens("error")) {
      throw new DeviceException(
          DeviceException.Kind.REFUSED, device() + ": an error that was asked for");
    }
    if (happens("lost")) {
      throw new DeviceException(
          DeviceException.Kind.FATAL, device() + ": the context is lost, as was asked for");
    }
    if (happens("hang")) {
      while (Files.exists(faults()) && !Files.exists(faults().resolve("end-hang"))) {
        sleep(100);
      }
    }
    Proof proof = timer.time("assemble", () -> TrapdoorKey.prove(assignment));
    return happens("wrong") ? spoilt(proof) : proof;
  }

  /** C in the place of A: three good points, and no proof. */
  private static Proof spoilt(Proof proof) {
    byte[] bytes = proof.encode();
    System.arraycopy(bytes, 144, bytes, 0, 48);
    return Proof.decode(bytes);
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      // A driver does not listen.
      Thread.onSpinWait();
    }
  }

  private static Path faults() {
    return Path.of(System.getProperty("cuzk.faults", "/nonexistent"));
  }

  private boolean happens(String kind) {
    return happens(kind, address);
  }

  private static boolean happens(String kind, String address) {
    try {
      return Files.exists(faults().resolve(kind + "-" + address))
          || Files.exists(faults().resolve(kind + "-any"))
          || Files.deleteIfExists(faults().resolve(kind + "-once"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long delay() {
    Path own = faults().resolve("delay-" + address);
    try {
      Path file = Files.exists(own) ? own : faults().resolve("delay");
      return Long.parseLong(Files.readString(file).strip());
    } catch (IOException e) {
      return 0;
    }
  }

  private void log() {
    Path log = faults().resolve("log");
    if (Files.isDirectory(log)) {
      try {
        Files.writeString(
            log.resolve(address + "-" + UUID.randomUUID()), ProcessHandle.current().pid() + "\n");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Finds as many devices as are asked for. */
  public static final class Provider implements ProverBackendProvider {
    @Override
    public String name() {
      return NAME;
    }

    /** Below the CPU: never taken unless named. */
    @Override
    public int priority() {
      return -10;
    }

    @Override
    public Optional<String> unavailable() {
      return Optional.empty();
    }

    @Override
    public ProverBackend open(int device, Workers workers) {
      return open(Integer.toString(device), workers);
    }

    @Override
    public ProverBackend open(String address, Workers workers) {
      Path here = faults(); // a thread that is left there asks no other test's directory
      while (here.equals(faults()) && happens("stuck", address)) {
        sleep(50);
      }
      if (happens("refuse", address)) {
        throw new DeviceException(
            DeviceException.Kind.FATAL, "faulty device " + address + " does not start");
      }
      if (happens("busy", address)) {
        throw new DeviceException(
            DeviceException.Kind.BUSY, "faulty device " + address + " is another process's");
      }
      return new FaultyBackend(address, workers);
    }
  }
}
