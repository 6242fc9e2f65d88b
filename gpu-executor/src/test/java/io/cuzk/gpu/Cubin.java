package io.cuzk.gpu;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an assembler made of a module's kernels: counts from the cubin, an ELF file of one {@code
 * .text.KERNEL} section each, with instructions of 16 bytes whose opcode is in the lowest 9 bits;
 * registers and spills from the assembler's log. Called functions lie in their kernels' sections.
 */
final class Cubin {
  private static final int IMAD_WIDE = 0x025;
  private static final int NOP = 0x118;
  private static final Pattern KERNEL = Pattern.compile("Compiling entry function '(\\w+)'");
  private static final Pattern SPILLS =
      Pattern.compile(
          "(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
  private static final Pattern REGISTERS = Pattern.compile("Used (\\d+) registers");

  /**
   * One kernel.
   *
   * @param registers of a thread
   * @param instructions in memory, fillers left out
   * @param wide 64-bit multiply-adds among them
   * @param spills bytes stored and loaded because registers ran out, in called functions too
   */
  record Figures(int registers, int instructions, int wide, int spills) {}

  private Cubin() {}

  /** Kernels by name. */
  static Map<String, Figures> read(byte[] cubin, String log) {
    Map<String, int[]> counts = counts(cubin);
    Map<String, int[]> resources = resources(log);
    Map<String, Figures> figures = new TreeMap<>();
    resources.forEach(
        (name, of) -> {
          int[] count = counts.get(name);
          if (count == null) {
            throw new IllegalStateException("no section .text." + name + " in the cubin");
          }
          figures.put(name, new Figures(of[0], count[0], count[1], of[1]));
        });
    return figures;
  }

  private static Map<String, int[]> counts(byte[] cubin) {
    ByteBuffer elf = ByteBuffer.wrap(cubin).order(ByteOrder.LITTLE_ENDIAN);
    int sections = (int) elf.getLong(0x28);
    int count = elf.getShort(0x3c);
    int names = sections + 64 * elf.getShort(0x3e);
    Map<String, int[]> counts = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      int header = sections + 64 * i;
      int at = (int) elf.getLong(names + 24) + elf.getInt(header);
      int end = at;
      while (cubin[end] != 0) {
        end++;
      }
      String name = new String(cubin, at, end - at, StandardCharsets.US_ASCII);
      if (!name.startsWith(".text.")) {
        continue;
      }
      int[] of = new int[2];
      int from = (int) elf.getLong(header + 24);
      int size = (int) elf.getLong(header + 32);
      for (int k = from; k < from + size; k += 16) {
        int opcode = elf.getShort(k) & 0x1ff;
        of[0] += opcode == NOP ? 0 : 1;
        of[1] += opcode == IMAD_WIDE ? 1 : 0;
      }
      counts.put(name.substring(".text.".length()), of);
    }
    return counts;
  }

  /** Registers and spilled bytes. The functions that a kernel calls follow it. */
  private static Map<String, int[]> resources(String log) {
    Map<String, int[]> resources = new TreeMap<>();
    int[] current = null;
    for (String line : log.split("\n")) {
      Matcher m = KERNEL.matcher(line);
      if (m.find()) {
        current = new int[2];
        resources.put(m.group(1), current);
        continue;
      }
      m = SPILLS.matcher(line);
      if (m.find() && current != null) {
        current[1] += Integer.parseInt(m.group(2)) + Integer.parseInt(m.group(3));
      }
      m = REGISTERS.matcher(line);
      if (m.find() && current != null) {
        current[0] = Integer.parseInt(m.group(1));
      }
    }
    return resources;
  }
}
