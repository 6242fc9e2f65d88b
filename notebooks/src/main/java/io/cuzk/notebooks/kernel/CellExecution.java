package io.cuzk.notebooks.kernel;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import jdk.jshell.execution.DirectExecutionControl;
import jdk.jshell.spi.SPIResolutionException;

/**
 * Runs snippets in this JVM, each on a thread of its own so that it can be interrupted, and keeps
 * the value that JShell itself would only see as text.
 */
final class CellExecution extends DirectExecutionControl {
  private volatile Thread running;
  private volatile Object value;

  /** The value of the snippet that ran last; null if it had none. */
  Object value() {
    return value;
  }

  void forget() {
    value = null;
  }

  /** Interrupts what runs. */
  void interrupt() {
    Thread thread = running;
    if (thread != null) {
      thread.interrupt();
    }
  }

  @Override
  public void stop() {
    interrupt();
  }

  @Override
  protected String invoke(Method snippet) throws Exception {
    Callable<Object> call = () -> snippet.invoke(null);
    FutureTask<Object> task = new FutureTask<>(call);
    running = Thread.ofPlatform().daemon().name("cell").start(task);
    try {
      value = task.get();
      return valueString(value);
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } finally {
      running = null;
    }
  }

  private static Exception failure(Throwable thrown) {
    Throwable cause = thrown instanceof InvocationTargetException ? thrown.getCause() : thrown;
    if (cause instanceof SPIResolutionException unresolved) {
      return new ResolutionException(unresolved.id(), unresolved.getStackTrace());
    }
    return new UserException(
        String.valueOf(cause.getMessage()), cause.getClass().getName(), cause.getStackTrace());
  }
}
