package io.cuzk.gpu;

import io.cuzk.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jcuda.driver.CUcontext;
import jcuda.driver.CUctx_flags;
import jcuda.driver.CUdevice;
import jcuda.driver.CUjit_option;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import jcuda.driver.JITOptions;

/**
 * A device of the CUDA driver, in its primary context. The context is made current on the calling
 * thread at every call, so that any thread may call. After a fatal error every call fails without
 * asking the driver again.
 */
final class JCudaDevice implements GpuDevice {
  private static final Pattern TARGET = Pattern.compile("(?m)^\\.target\\s+sm_(\\d+)");
  private static final int LOG_BYTES = 8 << 10;

  /** Of the device that was asked for, and then of the one that the driver opened. */
  private DeviceInfo info;

  private final CUdevice device;
  private final CUcontext context = new CUcontext();
  private DeviceException lost;
  private boolean closed;

  private JCudaDevice(DeviceInfo info, CUdevice device) {
    this.info = info;
    this.device = device;
  }

  /** Opens a device that {@link Devices} found. */
  static JCudaDevice open(DeviceInfo info, CUdevice device) {
    JCudaDevice opened = new JCudaDevice(info, device);
    sleepWhileWaiting(device);
    CudaDriver.require(
        JCudaDriver.cuDevicePrimaryCtxRetain(opened.context, device),
        "cuDevicePrimaryCtxRetain",
        "device "
            + info.name()
            + " "
            + info.uuid()
            + " may be another process's alone (compute mode)");
    try {
      opened.enter();
      opened.info = Devices.current();
    } catch (RuntimeException e) {
      opened.giveBackAfter(e);
      throw e;
    }
    return opened;
  }

  /**
   * A wait for the device costs no core, which has synthesis to do. Where another library of the
   * process has made the context, that one has decided.
   */
  private static void sleepWhileWaiting(CUdevice device) {
    int result =
        JCudaDriver.cuDevicePrimaryCtxSetFlags(device, CUctx_flags.CU_CTX_SCHED_BLOCKING_SYNC);
    if (result != CUresult.CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE) {
      CudaDriver.require(result, "cuDevicePrimaryCtxSetFlags");
    }
  }

  private void giveBackAfter(RuntimeException failure) {
    try {
      close();
    } catch (DeviceException e) {
      failure.addSuppressed(e);
    }
  }

  /** Makes the context current; every call to the driver starts so. */
  synchronized void enter() {
    if (lost != null) {
      throw new DeviceException(
          DeviceException.Kind.FATAL, "the device was lost before: " + lost.getMessage(), lost);
    }
    if (closed) {
      throw new DeviceException(DeviceException.Kind.REFUSED, info.name() + " is closed");
    }
    CudaDriver.require(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  }

  /** Whether there is anything to give back: what a lost or closed device held is gone with it. */
  synchronized boolean usable() {
    return lost == null && !closed;
  }

  /** Throws what a result means, with the device's name; remembers if the device is lost. */
  void require(int result, String call, String more) {
    if (result == CUresult.CUDA_SUCCESS) {
      return;
    }
    try {
      CudaDriver.require(result, info.name() + " " + info.uuid() + ": " + call, more);
    } catch (DeviceException e) {
      synchronized (this) {
        lost = e.kind() == DeviceException.Kind.FATAL ? e : lost;
      }
      throw e;
    }
  }

  void require(int result, String call) {
    require(result, call, "");
  }

  @Override
  public DeviceInfo info() {
    return info;
  }

  @Override
  public long freeBytes() {
    enter();
    long[] free = new long[1];
    require(JCudaDriver.cuMemGetInfo(free, new long[1]), "cuMemGetInfo");
    return free[0];
  }

  @Override
  public DeviceModule load(String name, String ptx) {
    Matcher target = TARGET.matcher(ptx);
    int own = 10 * info.major() + info.minor();
    if (target.find() && Integer.parseInt(target.group(1)) > own) {
      throw new DeviceException(
          DeviceException.Kind.REFUSED,
          "%s is %s; this build has code for sm_%s and newer: build it for %s"
              .formatted(info.name(), info.architecture(), target.group(1), info.architecture()));
    }
    try (Arena arena = Arena.ofConfined()) {
      return load(name, arena.allocateFrom(ptx));
    }
  }

  /** What was assembled for exactly this architecture where the build has it, else the PTX. */
  @Override
  public DeviceModule load(String name) {
    Optional<byte[]> cubin = DeviceCode.cubin(name, info.architecture());
    if (cubin.isEmpty()) {
      return load(name, DeviceCode.read(name));
    }
    try (Arena arena = Arena.ofConfined()) {
      // The driver reads ELF words where they lie.
      MemorySegment image = arena.allocate(cubin.get().length, Long.BYTES);
      return load(name, image.copyFrom(MemorySegment.ofArray(cubin.get())));
    }
  }

  private DeviceModule load(String name, MemorySegment image) {
    enter();
    JITOptions options = new JITOptions();
    options.putBytes(CUjit_option.CU_JIT_ERROR_LOG_BUFFER, new byte[LOG_BYTES]);
    options.putInt(CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, LOG_BYTES);
    CUmodule module = new CUmodule();
    int result = JCudaDriver.cuModuleLoadDataJIT(module, new HostAddress(image.address()), options);
    String log = options.getString(CUjit_option.CU_JIT_ERROR_LOG_BUFFER);
    require(result, "cuModuleLoadDataEx of " + name, log == null ? "" : log.strip());
    return new JCudaModule(this, name, module);
  }

  @Override
  public DeviceBuffer allocate(long bytes) {
    enter();
    DeviceAddress address = new DeviceAddress();
    int result = JCudaDriver.cuMemAlloc(address, bytes);
    if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      require(
          result,
          "cuMemAlloc",
          "%d bytes wanted, %d of %d free".formatted(bytes, freeBytes(), info.totalBytes()));
    }
    require(result, "cuMemAlloc of " + bytes + " bytes");
    return DeviceBuffer.owning(address.value(), bytes, this::free);
  }

  private void free(long address) {
    if (usable()) {
      enter();
      require(JCudaDriver.cuMemFree(new DeviceAddress(address)), "cuMemFree");
    }
  }

  @Override
  public DeviceStream stream() {
    return new JCudaStream(this);
  }

  @Override
  public DeviceEvent event() {
    return new JCudaEvent(this);
  }

  /** The driver may still read when a call returns: heap memory, which moves, is copied first. */
  @Override
  public void upload(DeviceBuffer to, MemorySegment from, DeviceStream stream) {
    DeviceAddress target = new DeviceAddress(to.slice(0, from.byteSize()).address());
    if (from.isNative()) {
      enter();
      require(
          JCudaDriver.cuMemcpyHtoDAsync(
              target,
              new HostAddress(from.address()),
              from.byteSize(),
              ((JCudaStream) stream).handle()),
          "cuMemcpyHtoDAsync");
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocate(from.byteSize(), Long.BYTES);
      upload(to, copy.copyFrom(from), stream);
      stream.synchronize();
    }
  }

  @Override
  public void download(MemorySegment to, DeviceBuffer from, DeviceStream stream) {
    DeviceAddress source = new DeviceAddress(from.slice(0, to.byteSize()).address());
    if (to.isNative()) {
      enter();
      require(
          JCudaDriver.cuMemcpyDtoHAsync(
              new HostAddress(to.address()),
              source,
              to.byteSize(),
              ((JCudaStream) stream).handle()),
          "cuMemcpyDtoHAsync");
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocate(to.byteSize(), Long.BYTES);
      download(copy, from, stream);
      stream.synchronize();
      to.copyFrom(copy);
    }
  }

  @Override
  public void copy(DeviceBuffer to, DeviceBuffer from, DeviceStream stream) {
    enter();
    require(
        JCudaDriver.cuMemcpyDtoDAsync(
            new DeviceAddress(to.slice(0, from.bytes()).address()),
            new DeviceAddress(from.address()),
            from.bytes(),
            ((JCudaStream) stream).handle()),
        "cuMemcpyDtoDAsync");
  }

  @Override
  public void fill(DeviceBuffer buffer, byte value, DeviceStream stream) {
    enter();
    require(
        JCudaDriver.cuMemsetD8Async(
            new DeviceAddress(buffer.address()),
            value,
            buffer.bytes(),
            ((JCudaStream) stream).handle()),
        "cuMemsetD8Async");
  }

  @Override
  public PinnedMemory pin(MemorySegment segment) {
    if (!segment.isNative()) {
      throw new DeviceException(
          DeviceException.Kind.REFUSED, "only native memory can be pinned, not the heap's");
    }
    enter();
    int result =
        JCudaDriver.cuMemHostRegister(new HostAddress(segment.address()), segment.byteSize(), 0);
    if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      // The host's memory: no smaller piece of the device's would help.
      throw new DeviceException(
          DeviceException.Kind.REFUSED,
          ("%s: cuMemHostRegister: the host has no %d bytes that can be locked; raise ulimit -l or"
                  + " pin less")
              .formatted(info.name(), segment.byteSize()));
    }
    require(
        result,
        "cuMemHostRegister of " + segment.byteSize() + " bytes",
        "raise ulimit -l or pin less");
    return () -> unpin(segment.address());
  }

  private void unpin(long address) {
    if (usable()) {
      enter();
      require(JCudaDriver.cuMemHostUnregister(new HostAddress(address)), "cuMemHostUnregister");
    }
  }

  @Override
  public void launch(
      DeviceFunction function,
      int gridX,
      int gridY,
      int blockX,
      int sharedBytes,
      DeviceStream stream,
      KernelArguments arguments) {
    enter();
    require(
        JCudaDriver.cuLaunchKernel(
            ((JCudaModule.Function) function).handle(),
            gridX,
            gridY,
            1,
            blockX,
            1,
            1,
            sharedBytes,
            ((JCudaStream) stream).handle(),
            new HostAddress(arguments.table()),
            null),
        "cuLaunchKernel of " + function.name());
    // They own the memory that the table points to.
    Reference.reachabilityFence(arguments);
  }

  @Override
  public void synchronize() {
    enter();
    require(JCudaDriver.cuCtxSynchronize(), "cuCtxSynchronize");
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      int result = JCudaDriver.cuDevicePrimaryCtxRelease(device);
      if (lost == null) {
        require(result, "cuDevicePrimaryCtxRelease");
      }
    }
  }
}
