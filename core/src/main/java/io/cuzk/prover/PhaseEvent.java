package io.cuzk.prover;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A phase of a proof as the JDK's flight recorder sees it; costs nothing while it does not record.
 */
@Name("io.cuzk.Phase")
@Label("Proof phase")
@Description("A phase of a partition's proof")
@Category("cuzk")
@StackTrace(false)
final class PhaseEvent extends Event {
  @Label("Phase")
  String phase;

  @Label("CPU time")
  @Description("Nanoseconds over the thread and its pools")
  long cpuNanos;
}
