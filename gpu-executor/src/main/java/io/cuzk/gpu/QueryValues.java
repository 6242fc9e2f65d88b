package io.cuzk.gpu;

import io.cuzk.circuit.Assignment;
import io.cuzk.field.Fr;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.SubsetQuery;
import io.cuzk.r1cs.Density;

/**
 * The scalars of one query, sorted by what they cost: the inputs and the few auxiliaries that are
 * neither 0 nor 1 as field elements with the places of their points, and a bit for each point of
 * the others.
 *
 * @param inputs points of inputs, which come first in a query
 * @param ones bit k is set where the query's point inputs + k has the scalar one
 * @param places which points of the query the values belong to
 * @param values four Montgomery words each
 */
record QueryValues(int inputs, long[] ones, int[] places, long[] values) {
  /**
   * Sorts an assignment's values.
   *
   * @param denseInputs which inputs are in the query; null if all are
   * @param denseAux which auxiliaries are; null if all are
   * @param withInputs whether the query has points of inputs at all
   */
  static QueryValues of(
      Assignment assignment,
      boolean withInputs,
      Density denseInputs,
      Density denseAux,
      Workers workers) {
    SubsetQuery subset = SubsetQuery.of(assignment, denseAux);
    int[] otherPoints = subset.otherPoints();
    int inputs = !withInputs ? 0 : denseInputs == null ? assignment.inputs() : denseInputs.count();
    int[] places = new int[inputs + otherPoints.length];
    long[] values = new long[places.length * Fr.WORDS];
    int next = 0;
    for (int i = 0; i < assignment.inputs() && next < inputs; i++) {
      if (denseInputs == null || denseInputs.isSet(i)) {
        places[next] = next;
        assignment.readInputs(i, 1, values, next * Fr.WORDS);
        next++;
      }
    }
    workers.forRanges(
        otherPoints.length,
        1024,
        (from, to) -> {
          for (int i = (int) from; i < to; i++) {
            places[inputs + i] = inputs + otherPoints[i];
            assignment.readAux(subset.otherAux()[i], 1, values, (inputs + i) * Fr.WORDS);
          }
        });
    return new QueryValues(inputs, subset.ones(), places, values);
  }
}
