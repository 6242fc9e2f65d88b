package io.cuzk.gpu.ptx;

import java.util.ArrayList;
import java.util.List;

/** Reads declarations of variables and parameters. */
final class Declarations {
  private final PtxLexer lexer;

  Declarations(PtxLexer lexer) {
    this.lexer = lexer;
  }

  PtxVariable variable(String space) {
    int align = 0;
    PtxType type = null;
    while (lexer.peek().startsWith(".")) {
      String word = lexer.next();
      switch (word) {
        case ".align" -> align = (int) lexer.integer();
        case ".ptr", ".global", ".const", ".shared", ".local", ".volatile" -> {}
        default -> {
          type = PtxType.named(word.substring(1));
          if (type == null) {
            throw lexer.error("type " + word + " is not known");
          }
        }
      }
    }
    String name = lexer.next();
    long bytes = type.bytes();
    while (lexer.take("[")) {
      bytes *= lexer.peek().equals("]") ? 0 : lexer.integer();
      lexer.expect("]");
    }
    if (bytes > Integer.MAX_VALUE) {
      throw lexer.error(name + " is too long");
    }
    byte[] initial = lexer.take("=") ? initial(new byte[(int) bytes], type.bytes()) : null;
    // A pointer's .align is that of what it points to.
    int least = space.equals("param") && bytes == type.bytes() ? type.bytes() : align;
    return new PtxVariable(name, space, Math.max(least, type.bytes()), (int) bytes, initial);
  }

  private byte[] initial(byte[] content, int element) {
    int at = 0;
    boolean braces = lexer.take("{");
    do {
      if (braces && lexer.peek().equals("}")) {
        break;
      }
      long value = lexer.integer();
      if (at + element > content.length) {
        throw lexer.error("more values than the variable has room for");
      }
      for (int k = 0; k < element; k++) {
        content[at++] = (byte) (value >>> (8 * k));
      }
    } while (braces && lexer.take(","));
    if (braces) {
      lexer.expect("}");
    }
    return content;
  }

  List<PtxVariable> parameters() {
    List<PtxVariable> found = new ArrayList<>();
    if (lexer.take("(")) {
      while (!lexer.take(")")) {
        lexer.expect(".param");
        found.add(variable("param"));
        lexer.take(",");
      }
    }
    return found;
  }
}
