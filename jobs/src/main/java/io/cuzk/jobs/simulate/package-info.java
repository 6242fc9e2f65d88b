/** A discrete-event model of a cluster that proves, fed by the phases of real runs. */
package io.cuzk.jobs.simulate;
