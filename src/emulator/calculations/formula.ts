import { invalid } from "../http/errors.ts";

/** Computes a number from the values of the letters, starting with A. Division by zero returns 0. */
export type Formula = (values: readonly number[]) => number;

/**
 * Parses a formula such as `(A - B) / B`: letters, numbers, the four operations and parentheses. Multiplication and
 * division bind more tightly, and all operators are left-associative. Recursive descent, one function for each level.
 * @param letters the number of letters that the formula may use
 * @throws ApiError 400
 */
export function parseFormula(text: string, letters: number): Formula {
  const tokens = text.match(/\d+(?:\.\d+)?|[A-Za-z]|[-+*/()]|\S/g) ?? [];
  let at = 0;

  function sum(): Formula {
    return chain(product, { "+": (a, b) => a + b, "-": (a, b) => a - b });
  }
  function product(): Formula {
    return chain(factor, { "*": (a, b) => a * b, "/": (a, b) => (b === 0 ? 0 : a / b) });
  }
  function chain(next: () => Formula, operations: Readonly<Record<string, (a: number, b: number) => number>>): Formula {
    let left = next();
    for (let apply = operations[tokens[at] ?? ""]; apply !== undefined; apply = operations[tokens[at] ?? ""]) {
      at += 1;
      const [before, operation, after] = [left, apply, next()];
      left = (values) => operation(before(values), after(values));
    }
    return left;
  }
  function factor(): Formula {
    const token = tokens[at] ?? "";
    at += 1;
    if (token === "-") {
      const inner = factor();
      return (values) => -inner(values);
    }
    if (token === "(") {
      const inner = sum();
      if (tokens[at] !== ")") throw invalidFormula();
      at += 1;
      return inner;
    }
    if (/^\d/.test(token)) return () => Number(token);
    const letter = token.toUpperCase().charCodeAt(0) - 65;
    if (!/^[A-Za-z]$/.test(token) || letter >= letters) throw invalidFormula();
    return (values) => values[letter] ?? 0;
  }

  const formula = sum();
  if (at < tokens.length) throw invalidFormula();
  return formula;
}

function invalidFormula(): Error {
  return invalid("invalid_input", "A formula has letters of the series, numbers, + - * / and parentheses.", "formula");
}
