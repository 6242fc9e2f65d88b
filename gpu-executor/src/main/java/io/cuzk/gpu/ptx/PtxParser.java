package io.cuzk.gpu.ptx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads PTX as nvcc and clang write it: the integer part of the language. */
final class PtxParser {
  private final PtxLexer lexer;
  private final Declarations declarations;
  private final PtxModule module;

  PtxParser(String name, String text) {
    lexer = new PtxLexer(text);
    declarations = new Declarations(lexer);
    module = new PtxModule(name);
  }

  PtxModule module() {
    while (lexer.more()) {
      String word = lexer.next();
      switch (word) {
        case ".version" -> module.version = lexer.next();
        case ".target" -> {
          module.target = lexer.next();
          while (lexer.take(",")) {
            lexer.next();
          }
        }
        case ".address_size" -> {
          if (lexer.integer() != 64) {
            throw lexer.error("addresses must have 64 bits");
          }
        }
        case ".visible", ".weak", ".extern", ".common" -> {}
        case ".global", ".const", ".shared" -> {
          PtxVariable variable = declarations.variable(word.substring(1));
          module.variables.put(variable.name, variable);
          lexer.expect(";");
        }
        case ".entry" -> function(true);
        case ".func" -> function(false);
        case ".file" -> lexer.skipLine();
        case ".section" -> {
          while (!lexer.take("}")) {
            lexer.next();
          }
        }
        default -> throw lexer.error("directive " + word + " is not known");
      }
    }
    return module;
  }

  private void function(boolean entry) {
    List<PtxVariable> results = entry ? List.of() : declarations.parameters();
    PtxFunction function = new PtxFunction(lexer.next(), entry);
    function.results.addAll(results);
    function.parameters.addAll(declarations.parameters());
    PtxScope scope = new PtxScope(null);
    module.variables.values().forEach(v -> scope.variables().put(v.name, v));
    for (List<PtxVariable> list : List.of(function.parameters, function.results)) {
      for (PtxVariable variable : list) {
        function.placeParameter(variable);
        scope.variables().put(variable.name, variable);
      }
    }
    while (!lexer.peek().equals("{")) {
      String word = lexer.next();
      switch (word) {
        case ";" -> {
          return;
        }
        case ".noreturn" -> {}
        case ".maxntid", ".reqntid" -> {
          function.mostThreads = (int) lexer.integer();
          while (lexer.take(",")) {
            function.mostThreads *= (int) lexer.integer();
          }
        }
        case ".minnctapersm", ".maxnreg" -> lexer.integer();
        default -> throw lexer.error("directive " + word + " is not known");
      }
    }
    lexer.expect("{");
    module.functions.put(function.name, function);
    body(function, scope);
    function.instructions.add(
        new Instruction(lexer.line(), "ret", "ret", List.of(), null, null, List.of()));
  }

  private void body(PtxFunction function, PtxScope scope) {
    while (!lexer.take("}")) {
      String word = lexer.peek();
      switch (word) {
        case "{" -> {
          lexer.next();
          body(function, new PtxScope(scope));
        }
        case ";" -> lexer.next();
        case ".reg" -> registers(function, scope);
        case ".local", ".shared", ".param" -> {
          lexer.next();
          PtxVariable variable = declarations.variable(word.substring(1));
          scope.variables().put(variable.name, variable);
          lexer.expect(";");
          if (word.equals(".local")) {
            function.placeLocal(variable);
          } else if (word.equals(".param")) {
            function.placeParameter(variable);
          }
        }
        case ".pragma" -> {
          lexer.next();
          lexer.next();
          lexer.expect(";");
        }
        case ".loc" -> {
          lexer.next();
          lexer.skipLine();
        }
        default -> statement(function, scope);
      }
    }
    for (Operand.Label reference : scope.references()) {
      Integer target = scope.labels().get(reference.name);
      if (target != null) {
        reference.target = target;
      } else if (scope.parent() != null) {
        scope.parent().references().add(reference);
      } else {
        throw lexer.error("label " + reference.name + " of " + function.name + " is nowhere");
      }
    }
  }

  private void registers(PtxFunction function, PtxScope scope) {
    lexer.expect(".reg");
    String name = lexer.next();
    PtxType type = PtxType.named(name.substring(1));
    if (type == null) {
      throw lexer.error("registers of type " + name + " are not known");
    }
    do {
      String stem = lexer.next();
      if (lexer.take("<")) {
        long count = lexer.integer();
        lexer.expect(">");
        for (int i = 0; i < count; i++) {
          register(function, scope, stem + i, type);
        }
      } else {
        register(function, scope, stem, type);
      }
    } while (lexer.take(","));
    lexer.expect(";");
  }

  private static void register(PtxFunction function, PtxScope scope, String name, PtxType type) {
    List<String> names = type.wide() ? function.longNames : function.intNames;
    scope.registers().put(name, new Operand.Register(name, names.size(), type.wide(), false));
    names.add(name);
  }

  private void statement(PtxFunction function, PtxScope scope) {
    int line = lexer.line();
    String word = lexer.next();
    if (lexer.take(":")) {
      if (lexer.take(".branchtargets")) {
        List<Operand.Label> targets = new ArrayList<>();
        do {
          targets.add(label(scope, lexer.next()));
        } while (lexer.take(","));
        lexer.expect(";");
        function.tables.put(word, targets);
      } else {
        scope.labels().put(word, function.instructions.size());
      }
      return;
    }
    Operand.Register guard = null;
    if (word.equals("@")) {
      boolean negated = lexer.take("!");
      guard = register(scope, lexer.next());
      guard = negated ? guard.not() : guard;
      word = lexer.next();
    }
    String[] parts = word.split("\\.");
    List<String> modifiers = List.copyOf(Arrays.asList(parts).subList(1, parts.length));
    PtxType type =
        modifiers.stream().map(PtxType::named).filter(t -> t != null).findFirst().orElse(null);
    List<Operand> operands = new ArrayList<>();
    if (parts[0].equals("call")) {
      call(function, scope, operands);
    } else {
      while (!lexer.take(";")) {
        operands.add(operand(function, scope));
        if (!lexer.peek().equals(";") && !lexer.take(",")) {
          lexer.expect("|");
        }
      }
      if (parts[0].equals("bra")) {
        operands.set(0, label(scope, ((Operand.Name) operands.getFirst()).name()));
      }
    }
    function.instructions.add(
        new Instruction(line, word, parts[0], modifiers, type, guard, List.copyOf(operands)));
  }

  private static Operand.Label label(PtxScope scope, String name) {
    Operand.Label label = new Operand.Label(name);
    scope.references().add(label);
    return label;
  }

  private Operand.Register register(PtxScope scope, String name) {
    Operand.Register register = scope.register(name);
    if (register == null) {
      throw lexer.error("register " + name + " is not declared");
    }
    return register;
  }

  /** The function, its results and its arguments, the last two as vectors of symbols. */
  private void call(PtxFunction function, PtxScope scope, List<Operand> operands) {
    List<Operand> results = new ArrayList<>();
    if (lexer.peek().equals("(")) {
      symbols(scope, results);
      lexer.expect(",");
    }
    String callee = lexer.next();
    List<Operand> arguments = new ArrayList<>();
    if (lexer.take(",")) {
      symbols(scope, arguments);
    }
    lexer.expect(";");
    function.callees.add(callee);
    operands.add(new Operand.Name(callee));
    operands.add(new Operand.Vector(results));
    operands.add(new Operand.Vector(arguments));
  }

  private void symbols(PtxScope scope, List<Operand> into) {
    lexer.expect("(");
    while (!lexer.take(")")) {
      String name = lexer.next();
      PtxVariable variable = scope.variable(name);
      if (variable == null) {
        throw lexer.error("parameter " + name + " is not declared");
      }
      into.add(new Operand.Symbol(variable));
      lexer.take(",");
    }
  }

  private Operand operand(PtxFunction function, PtxScope scope) {
    String word = lexer.peek();
    if (word.equals("-") || Character.isDigit(word.charAt(0))) {
      return new Operand.Immediate(lexer.integer());
    }
    lexer.next();
    switch (word) {
      case "[" -> {
        Operand base = operand(function, scope);
        long offset = 0;
        if (lexer.take("+") || lexer.peek().equals("-")) {
          offset = lexer.integer();
        }
        lexer.expect("]");
        return new Operand.Address(base, offset);
      }
      case "{" -> {
        List<Operand> elements = new ArrayList<>();
        while (!lexer.take("}")) {
          elements.add(operand(function, scope));
          lexer.take(",");
        }
        return new Operand.Vector(elements);
      }
      case "!" -> {
        return register(scope, lexer.next()).not();
      }
      case "_" -> {
        return new Operand.Sink();
      }
      default -> {}
    }
    Operand.Register register = scope.register(word);
    if (register != null) {
      return register;
    }
    if (word.startsWith("%")) {
      int number = SpecialRegisters.NAMES.indexOf(word);
      if (number < 0) {
        throw lexer.error("register " + word + " is not known");
      }
      return new Operand.Special(number);
    }
    PtxVariable variable = scope.variable(word);
    if (variable == null) {
      return new Operand.Name(word);
    }
    if (variable.space.equals("shared")) {
      function.shared.add(variable);
    }
    return new Operand.Symbol(variable);
  }
}
