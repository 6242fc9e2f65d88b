package io.cuzk.circuit;

/**
 * The values of one side of all rows, as a device expands them: small integers, over them the rows
 * that are field elements of any size, and behind them those of the inputs. Rows behind these are
 * zero. For reading only.
 *
 * @param small row i as an integer
 * @param wideRows which rows are wide
 * @param wideValues their values, four Montgomery words each
 * @param trailing the rows from {@code small.length} on, four Montgomery words each
 */
public record CompactRows(byte[] small, int[] wideRows, long[] wideValues, long[] trailing) {}
