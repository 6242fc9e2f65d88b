package io.cuzk.circuit;

import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Variable;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The order in which instances are computed: one after the other, or in waves, each of which needs
 * only what the waves before it made. Immutable.
 */
final class Schedule {
  /** As they come: what an instance needs is always made before it. */
  static final Schedule IN_ORDER = new Schedule(null, null);

  private final int[] order;
  private final int[] waveStart;

  private Schedule(int[] order, int[] waveStart) {
    this.order = order;
    this.waveStart = waveStart;
  }

  /** Waves as early as the wires allow. */
  static Schedule of(CompiledCircuit circuit) {
    Instances instances = circuit.instances();
    int n = instances.count();
    int[] wave = new int[n];
    int waves = 0;
    for (int i = 0; i < n; i++) {
      int from = instances.wireStart()[i];
      int to = instances.wireStart()[i + 1];
      for (int wire = from; wire < to; wire += 2) {
        wave[i] = Math.max(wave[i], after(circuit, wave, i, wire));
      }
      waves = Math.max(waves, wave[i] + 1);
    }
    int[] start = new int[waves + 1];
    for (int w : wave) {
      start[w + 1]++;
    }
    for (int w = 0; w < waves; w++) {
      start[w + 1] += start[w];
    }
    int[] next = start.clone();
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      order[next[wave[i]]++] = i;
    }
    return new Schedule(order, start);
  }

  /** The first wave after all makers of a run of variables. */
  private static int after(CompiledCircuit circuit, int[] wave, int instance, int wire) {
    Instances instances = circuit.instances();
    int variable = instances.wires()[wire];
    int info = instances.wires()[wire + 1];
    int stride = Instances.stride(info);
    int result = 0;
    int lastMaker = -1;
    for (int i = 0; i < Instances.length(info); i++, variable += stride) {
      int[] bases = Variable.isAux(variable) ? instances.auxBase() : instances.inputBase();
      int index = Variable.index(variable);
      if (lastMaker >= 0 && makes(circuit, lastMaker, variable)) {
        continue;
      }
      int maker = Instances.at(bases, index);
      if (maker >= 0 && maker < instance && makes(circuit, maker, variable)) {
        result = Math.max(result, wave[maker] + 1);
        lastMaker = maker;
      }
    }
    return result;
  }

  private static boolean makes(CompiledCircuit circuit, int maker, int variable) {
    Instances instances = circuit.instances();
    Template template = circuit.template(instances.template()[maker]);
    int index = Variable.index(variable);
    return Variable.isAux(variable)
        ? index >= instances.auxBase()[maker] && index - instances.auxBase()[maker] < template.aux
        : index >= instances.inputBase()[maker]
            && index - instances.inputBase()[maker] < template.inputs;
  }

  /** Computes all instances. */
  void run(CompiledCircuit circuit, WitnessValues values, Workers workers) {
    if (order == null) {
      TemplateRunner runner = new TemplateRunner(circuit, values);
      for (int i = 0; i < circuit.blocks(); i++) {
        runner.run(i);
      }
      return;
    }
    // not thread-locals: the pool's threads would hold the values for as long as they live
    Queue<TemplateRunner> idle = new ConcurrentLinkedQueue<>();
    for (int w = 0; w + 1 < waveStart.length; w++) {
      int first = waveStart[w];
      workers.forRanges(
          waveStart[w + 1] - first,
          1,
          (from, to) -> {
            TemplateRunner found = idle.poll();
            TemplateRunner runner = found == null ? new TemplateRunner(circuit, values) : found;
            for (long i = from; i < to; i++) {
              runner.run(order[(int) (first + i)]);
            }
            idle.add(runner);
          });
    }
  }
}
