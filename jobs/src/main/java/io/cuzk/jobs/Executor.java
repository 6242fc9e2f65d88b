package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.circuit.CircuitFile;
import io.cuzk.circuit.CompiledCircuit;
import io.cuzk.field.Fr;
import io.cuzk.groth16.NativeKeyFile;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.ProvingKeyFile;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.StackedCircuits;
import io.cuzk.prover.DevicePool;
import io.cuzk.prover.HostPinning;
import io.cuzk.prover.MemoryBudget;
import io.cuzk.prover.PartitionPipeline;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import io.cuzk.prover.Synthesis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;

/**
 * What one executor JVM keeps between tasks: its proving keys, mapped and digested once, its
 * compiled circuits, its devices and its pipeline. Keys are never broadcast: they are files that
 * every executor maps.
 */
final class Executor {
  private static final Map<Path, Opened> KEYS = new HashMap<>();
  private static final Map<FetchedKey, Path> FETCHED = new HashMap<>();
  private static final Map<Path, CompiledCircuit> CIRCUITS = new HashMap<>();
  private static final Map<CompiledCircuit, String> FINGERPRINTS = new IdentityHashMap<>();
  private static final Map<Integer, Workers> DEVICE_POOLS = new ConcurrentHashMap<>();
  private static final Map<DevicesKey, DevicePool> DEVICES = new ConcurrentHashMap<>();
  private static final Map<Long, MemoryBudget> BUDGETS = new ConcurrentHashMap<>();
  private static final Map<PipelineKey, PartitionPipeline> PIPELINES = new ConcurrentHashMap<>();

  /** What the cluster manager gave to this process, as the plugin was told. */
  private static volatile List<String> addresses = List.of();

  private Executor() {}

  private record FetchedKey(String parameters, String cache, String sectorSize) {}

  private record DevicesKey(
      String backend, HostPinning pinning, List<String> addresses, int threads) {}

  private record PipelineKey(DevicePool devices, MemoryBudget budget, long deviceTimeoutMillis) {}

  /** A key that stays mapped as long as the JVM lives. */
  private record Opened(ProvingKeyFile file, ProvingKey key, long modified) {}

  /** Files as this executor's Hadoop configuration sees them. */
  static RunFiles files() {
    return new RunFiles(SparkHadoopUtil.get().newConfiguration(SparkEnv.get().conf()));
  }

  static RunDirectory run(JobSettings job) {
    return new RunDirectory(
        job.run(), SparkHadoopUtil.get().newConfiguration(SparkEnv.get().conf()));
  }

  static String id() {
    return SparkEnv.get().executorId();
  }

  /**
   * A pool of that many threads for what devices do on the CPU, whoever holds them, and for tests
   * of them. Tasks have their own ({@link TaskPools}).
   */
  static Workers devicePool(int threads) {
    return DEVICE_POOLS.computeIfAbsent(threads, Workers::of);
  }

  /** Tells which devices this process was given. */
  static void assigned(List<String> given) {
    addresses = List.copyOf(given);
  }

  /**
   * This process's devices of a backend, opened when they are first used.
   *
   * @param address that a task was assigned; null where devices are not assigned
   */
  static DevicePool devices(String backend, String address, int threads) {
    List<String> all = addresses.isEmpty() && address != null ? List.of(address) : addresses;
    ProverBackendProvider provider = ProverBackends.choose(backend);
    CuzkConf conf = CuzkConf.of(SparkEnv.get().conf());
    HostPinning pinning = conf.value(CuzkConf.CUDA_PINNING);
    return DEVICES.computeIfAbsent(
        new DevicesKey(provider.name(), pinning, all, threads),
        key ->
            DevicePool.of(
                provider.pinning(key.pinning()),
                key.addresses(),
                devicePool(threads),
                conf.value(CuzkConf.DEVICE_TIMEOUT)));
  }

  /** The pipeline of this process for the settings of a run. */
  static PartitionPipeline pipeline(JobSettings job, String address) {
    DevicePool devices = devices(job.backend(), address, job.threads());
    return PIPELINES.computeIfAbsent(
        new PipelineKey(devices, budget(job), job.deviceTimeoutMillis()),
        key ->
            PartitionPipeline.of(
                key.budget(), key.devices(), Duration.ofMillis(key.deviceTimeoutMillis())));
  }

  /**
   * The memory budget of this process for the settings of a run.
   *
   * @throws InfrastructureException if more was set than this process can have
   */
  static MemoryBudget budget(JobSettings job) {
    ProverBackendProvider provider = ProverBackends.choose(job.backend());
    long resident = Math.max(1, addresses.size()) * provider.residentBytes();
    if (job.memoryBudget() != 0) {
      boolean offHeap =
          provider.pins()
              && CuzkConf.of(SparkEnv.get().conf()).value(CuzkConf.CUDA_PINNING)
                  == HostPinning.REGISTER;
      return BUDGETS.computeIfAbsent(
          job.memoryBudget(), bytes -> MemoryBudget.ofProcess(bytes, offHeap, resident));
    }
    // One for all backends: negative, so that it is no other budget's size.
    return BUDGETS.computeIfAbsent(-1 - resident, key -> MemoryBudget.ofProcess(resident));
  }

  /** What synthesis leaves of a partition, at most. */
  static long assignmentBytes(JobSettings job, String sectorSize, ProvingKey key) {
    return job.synthesis().equals(Synthesis.REFERENCE.name())
        ? Fr.BYTES * (key.l().size() + 2 * key.domain())
        : circuit(parameters(job, sectorSize), sectorSize).assignmentBytes();
  }

  /** The fingerprint of a circuit of this process, computed once. */
  static String fingerprint(CompiledCircuit circuit) {
    synchronized (FINGERPRINTS) {
      return FINGERPRINTS.computeIfAbsent(circuit, CircuitFile::fingerprint);
    }
  }

  /** All pipelines that this process has worked with. */
  static Collection<PartitionPipeline> pipelines() {
    return PIPELINES.values();
  }

  /** Closes the devices; what is used after that is opened anew. */
  static void release() {
    PIPELINES.clear();
    List<DevicePool> open = List.copyOf(DEVICES.values());
    DEVICES.clear();
    open.forEach(DevicePool::close);
    TaskPools.endFree();
    addresses = List.of();
  }

  /**
   * The local directory of the parameters of a sector size; the first call fetches them if they lie
   * on a Hadoop file system.
   *
   * @throws InvalidInputException if they are not there, or damaged
   */
  static Path parameters(JobSettings job, String sectorSize) {
    if (!KeyFetch.isNeeded(job.parameters())) {
      return RunFiles.local(job.parameters());
    }
    synchronized (FETCHED) {
      FetchedKey wanted = new FetchedKey(job.parameters(), job.parametersCache(), sectorSize);
      Path directory = FETCHED.get(wanted);
      return directory == null ? fetch(job, sectorSize) : directory;
    }
  }

  /** Fetches what is not here or was replaced at its source. */
  static Path fetch(JobSettings job, String sectorSize) {
    Path cache = KeyFetch.cache(job.parametersCache());
    KeyFiles names = KeyFiles.of(cache, CustomShape.named(sectorSize));
    synchronized (FETCHED) {
      Path directory =
          KeyFetch.fetch(files(), job.parameters(), cache, names, job.key()).directory();
      FETCHED.put(new FetchedKey(job.parameters(), job.parametersCache(), sectorSize), directory);
      return directory;
    }
  }

  /**
   * The proving key of a sector size, and the file it lies in. The first call maps the file and
   * sums it up; a file that was replaced since is opened anew.
   *
   * @param layout {@code native}, {@code params}, or {@code auto} for the better one that is there
   * @throws InvalidInputException if it is missing, damaged, or another than its digest says
   * @throws InfrastructureException if a native file is asked for and there is none here
   */
  static ProvingKeyFile keyFile(Path parameters, String sectorSize, String layout) {
    return opened(parameters, sectorSize, layout).file();
  }

  /** The key in that file. */
  static ProvingKey key(Path parameters, String sectorSize, String layout) {
    return opened(parameters, sectorSize, layout).key();
  }

  private static Opened opened(Path parameters, String sectorSize, String layout) {
    KeyFiles files = KeyFiles.of(parameters, CustomShape.named(sectorSize));
    Path beside = NativeKeyFile.beside(files.params());
    boolean there = Files.exists(beside);
    if (layout.equals("native") && !there) {
      throw new InfrastructureException(
          ("%s is not here, but this run reads its proving key from it; make it with 'cuzk params"
                  + " convert %s', or run with --conf %s=params")
              .formatted(beside, files.params(), CuzkConf.KEY.name()));
    }
    boolean isNative = there && !layout.equals("params");
    Path path = isNative ? beside : files.params();
    synchronized (KEYS) {
      long modified = path.toFile().lastModified();
      Opened opened = KEYS.get(path);
      if (opened == null || opened.modified() != modified) {
        ProvingKeyFile file =
            isNative
                ? NativeKeyFile.openTrusted(path, files.params(), files.vk())
                : ParameterFile.openTrusted(path, files.vk());
        opened = new Opened(file, file.provingKey(), modified);
        KEYS.put(path, opened);
      }
      return opened;
    }
  }

  /**
   * The compiled circuit of a sector size. The first call reads it from beside the parameters, or
   * compiles it (seconds for 32 GiB) and leaves it there.
   *
   * @throws InvalidInputException if the file is damaged or holds another circuit
   */
  static CompiledCircuit circuit(Path parameters, String sectorSize) {
    SectorShape shape = CustomShape.named(sectorSize);
    synchronized (CIRCUITS) {
      return CIRCUITS.computeIfAbsent(
          StackedCircuits.file(parameters, shape), file -> StackedCircuits.load(parameters, shape));
    }
  }
}
