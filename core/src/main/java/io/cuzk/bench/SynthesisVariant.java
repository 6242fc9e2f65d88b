package io.cuzk.bench;

import io.cuzk.circuit.CompiledCircuit;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.StackedCircuit;
import io.cuzk.prover.CompiledSynthesis;
import io.cuzk.prover.ReferenceSynthesis;
import io.cuzk.prover.Synthesis;
import io.cuzk.r1cs.TermStorage;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The ways to synthesise a partition that can be measured side by side. */
public enum SynthesisVariant {
  /** Reference: new growable arrays for every combination. */
  ARRAY(TermStorage.ARRAY),
  /** Reference: one term in fields, then arrays. */
  INLINE1(TermStorage.INLINE1),
  /** Reference: two terms in fields, then arrays. */
  INLINE2(TermStorage.INLINE2),
  /** Reference: four terms in fields, then arrays. */
  INLINE4(TermStorage.INLINE4),
  /** Reference: arrays used again row after row; what {@code --synthesis reference} takes. */
  POOLED(TermStorage.POOLED),
  /** As pooled, with the assignment's memory allocated beforehand. */
  PRESIZED(TermStorage.POOLED),
  /** The compiled circuit. */
  COMPILED(null);

  private final TermStorage storage;

  SynthesisVariant(TermStorage storage) {
    this.storage = storage;
  }

  /** The name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All names. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(SynthesisVariant::label).toList();
  }

  /** The variant of a name. */
  public static Optional<SynthesisVariant> find(String label) {
    return Arrays.stream(values()).filter(v -> v.label().equals(label)).findFirst();
  }

  /** Whether one partition keeps several threads busy; the others take a thread a partition. */
  boolean parallelInside() {
    return this == COMPILED;
  }

  /** The synthesis for sectors of a shape; compiling happens here. */
  Synthesis synthesis(SectorShape shape, Workers workers) {
    if (this != COMPILED) {
      return ReferenceSynthesis.of(storage, this == PRESIZED);
    }
    return CompiledSynthesis.of(
        CompiledCircuit.compile(shape.name(), StackedCircuit.blank(shape)), workers);
  }
}
