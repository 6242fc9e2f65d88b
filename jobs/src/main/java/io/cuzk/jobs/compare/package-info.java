/** Runs and benches side by side: per phase, what changed and whether that can be told. */
package io.cuzk.jobs.compare;
