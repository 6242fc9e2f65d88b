package io.cuzk.porep;

/** The versions of the stacked graph: they differ in the order and range of a node's parents. */
public enum ApiVersion {
  /** The graph of Filecoin's launch. */
  V1_0,
  /** The corrected graph of November 2020. */
  V1_1,
  /** The graph of V1_1, for the proofs of network version 21 and later. */
  V1_2
}
