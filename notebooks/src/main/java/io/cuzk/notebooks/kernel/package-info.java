/** A Jupyter kernel for Java cells: JShell behind the protocol library of JJava. */
package io.cuzk.notebooks.kernel;
