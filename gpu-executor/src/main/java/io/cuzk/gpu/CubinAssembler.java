package io.cuzk.gpu;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompileResult;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;

/**
 * Assembles this build's PTX ahead of time, by the compiler inside JCuda's library (12.0), which
 * needs neither a GPU nor NVIDIA's toolkit. Run by the Maven profile {@code release}, so that a
 * released build starts on the devices it knows without the driver compiling first.
 */
public final class CubinAssembler {
  static final List<String> MODULES = List.of("msm_g1", "msm_g2", "field", "ntt", "sort");

  /** From the oldest that the PTX is for to the newest that the compiler knows. */
  static final List<String> ARCHITECTURES = List.of("sm_75", "sm_80", "sm_86", "sm_89", "sm_90");

  /** Digests of each PTX and of each file made from it. */
  static final String LOCK = "cubin/cubins.lock";

  private CubinAssembler() {}

  /**
   * A program for a device.
   *
   * @param cubin an ELF file
   * @param log what the compiler says of registers and spills
   */
  record Assembled(byte[] cubin, String log) {}

  /**
   * Assembles every module for every architecture.
   *
   * @param arguments the directory to which {@code cubin/} belongs; then architectures, all where
   *     none is named
   */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    List<String> architectures = List.of(arguments).subList(1, arguments.length);
    assemble(
        Path.of(arguments[0]), MODULES, architectures.isEmpty() ? ARCHITECTURES : architectures);
  }

  /** Assembles modules into {@code to/cubin/ARCHITECTURE/MODULE.cubin}, and writes their lock. */
  static void assemble(Path to, List<String> modules, List<String> architectures)
      throws IOException, InterruptedException, ExecutionException {
    List<String> lock = new ArrayList<>();
    int[] version = version();
    lock.add("compiler nvPTXCompiler %d.%d".formatted(version[0], version[1]));
    for (String module : modules) {
      byte[] ptx = DeviceCode.read(module).getBytes(StandardCharsets.US_ASCII);
      lock.add("ptx " + module + ".ptx " + DeviceCode.sha256(ptx));
    }
    try (ExecutorService pool =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      List<Future<String>> lines = new ArrayList<>();
      for (String architecture : architectures) {
        for (String module : modules) {
          lines.add(pool.submit(() -> write(to, module, architecture)));
        }
      }
      for (Future<String> line : lines) {
        lock.add(line.get());
      }
    }
    Files.write(to.resolve(LOCK), lock, StandardCharsets.US_ASCII);
  }

  private static String write(Path to, String module, String architecture) throws IOException {
    byte[] cubin = assemble(DeviceCode.read(module), architecture).cubin();
    String file = "cubin/" + architecture + "/" + module + ".cubin";
    Path path = to.resolve(file);
    Files.createDirectories(path.getParent());
    Files.write(path, cubin);
    return "cubin " + file + " " + DeviceCode.sha256(cubin);
  }

  /**
   * The compiler's major and minor version.
   *
   * @throws LinkageError if JCuda has no library for this machine
   */
  static int[] version() {
    JNvPTXCompiler.setExceptionsEnabled(false);
    int[] major = new int[1];
    int[] minor = new int[1];
    require(JNvPTXCompiler.nvPTXCompilerGetVersion(major, minor), "nvPTXCompilerGetVersion", "");
    return new int[] {major[0], minor[0]};
  }

  /** Assembles one module's PTX. */
  static Assembled assemble(String ptx, String architecture) {
    byte[] text = ptx.getBytes(StandardCharsets.US_ASCII);
    text = Arrays.copyOf(text, text.length + 1);
    nvPTXCompilerHandle handle = new nvPTXCompilerHandle();
    require(
        JNvPTXCompiler.nvPTXCompilerCreate(handle, text.length, text), "nvPTXCompilerCreate", "");
    try {
      String[] options = {"--gpu-name=" + architecture, "--verbose"};
      int result = JNvPTXCompiler.nvPTXCompilerCompile(handle, options.length, options);
      long[] size = new long[1];
      if (result != nvPTXCompileResult.NVPTXCOMPILE_SUCCESS) {
        JNvPTXCompiler.nvPTXCompilerGetErrorLogSize(handle, size);
        byte[] log = new byte[(int) size[0] + 1];
        JNvPTXCompiler.nvPTXCompilerGetErrorLog(handle, log);
        require(result, "nvPTXCompilerCompile for " + architecture, text(log));
      }
      JNvPTXCompiler.nvPTXCompilerGetCompiledProgramSize(handle, size);
      byte[] cubin = new byte[(int) size[0]];
      require(
          JNvPTXCompiler.nvPTXCompilerGetCompiledProgram(handle, cubin),
          "nvPTXCompilerGetCompiledProgram",
          "");
      JNvPTXCompiler.nvPTXCompilerGetInfoLogSize(handle, size);
      byte[] log = new byte[(int) size[0] + 1];
      JNvPTXCompiler.nvPTXCompilerGetInfoLog(handle, log);
      return new Assembled(cubin, text(log));
    } finally {
      JNvPTXCompiler.nvPTXCompilerDestroy(handle);
    }
  }

  private static String text(byte[] log) {
    return new String(log, StandardCharsets.US_ASCII).replace("\0", "");
  }

  private static void require(int result, String call, String log) {
    if (result != nvPTXCompileResult.NVPTXCOMPILE_SUCCESS) {
      throw new IllegalStateException(
          "%s: %s %s".formatted(call, nvPTXCompileResult.stringFor(result), log));
    }
  }
}
