package io.cuzk.porep;

import io.cuzk.InfrastructureException;
import io.cuzk.circuit.CircuitFile;
import io.cuzk.circuit.CompiledCircuit;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compiled circuits of sector shapes, kept in a directory. A file's name holds the shape and
 * the beginning of {@link CircuitCode#digest}, so that other versions of this program keep theirs
 * beside it.
 */
public final class StackedCircuits {
  private static final Logger LOG = LoggerFactory.getLogger(StackedCircuits.class);

  private StackedCircuits() {}

  /** Where the circuit of a shape lies. */
  public static Path file(Path directory, SectorShape shape) {
    return directory.resolve(
        "stacked-%d-%s-%d-%d-%s.circuit"
            .formatted(
                shape.sectorBytes(),
                shape.tree(),
                shape.layers(),
                shape.challengesPerPartition(),
                CircuitCode.digest().substring(0, 16)));
  }

  /** Compiles the circuit of a shape. */
  public static CompiledCircuit compile(SectorShape shape) {
    return CompiledCircuit.compile(CircuitCode.name(shape), StackedCircuit.blank(shape));
  }

  /**
   * The circuit of a shape from a directory, or compiled and left there. A directory that cannot be
   * written to is said in the log and costs the compilation of each process.
   *
   * @throws io.cuzk.InvalidInputException if the file is damaged or holds another circuit
   * @throws InfrastructureException if the file cannot be read
   */
  public static CompiledCircuit load(Path directory, SectorShape shape) {
    Path file = file(directory, shape);
    if (Files.exists(file)) {
      return CircuitFile.open(file, CircuitCode.name(shape), CircuitCode.digest());
    }
    CompiledCircuit circuit = compile(shape);
    try {
      CircuitFile.save(circuit, CircuitCode.digest(), file);
    } catch (InfrastructureException e) {
      LOG.warn("the circuit of {} was compiled and is not kept: {}", shape.name(), e.getMessage());
    }
    return circuit;
  }
}
