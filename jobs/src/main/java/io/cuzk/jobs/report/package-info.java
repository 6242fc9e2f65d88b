/** A run as one page with pictures and as a few lines of text. */
package io.cuzk.jobs.report;
