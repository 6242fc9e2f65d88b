/**
 * What the notebooks' cells share: a run's Parquet datasets as tables, and pictures of them. It
 * reads what docs/schema.md says and depends on nothing else of the project.
 */
package io.cuzk.notebooks;
