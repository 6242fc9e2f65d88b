/** The Spark side: actions over sectors, record schemas, the run directory. */
package io.cuzk.jobs;
