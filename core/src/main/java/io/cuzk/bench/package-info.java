/**
 * Measures the arithmetic and the prover, side by side with other programs' in one run. Nothing
 * here is used when proving.
 */
package io.cuzk.bench;
