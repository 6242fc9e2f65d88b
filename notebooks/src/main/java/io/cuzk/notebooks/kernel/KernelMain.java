package io.cuzk.notebooks.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.dflib.jjava.jupyter.channels.JupyterConnection;
import org.dflib.jjava.jupyter.kernel.KernelConnectionProperties;

/** What Jupyter starts: one argument, the connection file. Ends when Jupyter says so or ends. */
public final class KernelMain {
  private KernelMain() {}

  /** Serves one notebook. */
  public static void main(String[] args) throws IOException, GeneralSecurityException {
    if (args.length != 1 || !Files.isRegularFile(Path.of(args[0]))) {
      System.err.println(
          "expected Jupyter's connection file as the only argument, found "
              + String.join(" ", args)
              + "; notebooks/bin/notebook starts Jupyter with this kernel");
      System.exit(2);
    }
    // A Jupyter that was killed cannot say that its kernels shall end.
    ProcessHandle.current()
        .parent()
        .ifPresent(parent -> parent.onExit().thenRun(() -> Runtime.getRuntime().halt(0)));
    JupyterConnection connection =
        new JupyterConnection(KernelConnectionProperties.parse(Files.readString(Path.of(args[0]))));
    CellKernel kernel = CellKernel.open();
    kernel.onStartup();
    // Handlers first: a request may come as soon as the sockets are there.
    kernel.becomeHandlerForConnection(connection);
    connection.connect();
    connection.waitUntilClose();
    System.exit(0);
  }
}
