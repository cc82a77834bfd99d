import { endOfBare, isTypedText } from '../text/rule-spelling.ts';
import { parseDocument, type Scalar } from './document.ts';
import { type Comparison, type Filter, PARTS, type PartName } from './filter.ts';
import { EVERY, type PathStep, parsePath, parseQuoted, readPath } from './path.ts';
import { compileRegex } from './regex.ts';
import { MAX_CONDITIONS, MAX_DEPTH, MAX_PROGRAMS, TOO_MUCH_REGEX } from './rule-limits.ts';
import { RuleSyntaxError } from './rule-syntax-error.ts';

/** The parts of a request, by the first name of a path. */
const ROOTS = new Map<string, PartName>(
  PARTS.map((part) => [part === 'headers' ? 'header' : part, part]),
);

/** First names that need a second one: `header.NAME`. Of the others, only `body` has members. */
const WITH_NAME: ReadonlySet<string> = new Set(['query', 'header', 'form']);

/** The operators of the text form. The first match counts, so longer ones come first. */
const TEXT_OPERATORS: Readonly<Record<string, Comparison | '=' | '!=' | '~='>> = {
  '!=': '!=',
  '>=': '$gte',
  '<=': '$lte',
  '~=': '~=',
  '*=': '$contains',
  '^=': '$startsWith',
  '$=': '$endsWith',
  '=': '=',
  '>': '$gt',
  '<': '$lt',
};

const COMPARED: ReadonlySet<string> = new Set(['=', '!=', '>', '>=', '<', '<=']);
const WORD = /(?:and|or|not|in)(?=[\s()]|$)/iy;
const BLANKS = /\s*/y;

/**
 * Reads the text form of a rule: `body.type=invoice.paid and not (body.amount<1000)`. `and` binds
 * tighter than `or`. Throws `RuleSyntaxError` with the place of the fault.
 */
export function readTextRule(text: string): Filter {
  const filter = new TextReader(text).rule();
  return filter.kind === 'object' ? filter : { kind: 'object', conditions: [filter] };
}

class TextReader {
  readonly #text: string;
  #at = 0;
  #conditions = 0;
  #programs = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  rule(): Filter {
    const filter = this.#or();
    if (this.#at < this.#text.length) {
      throw this.#error('expected and, or, or the end; quote a value that has blanks');
    }
    return filter;
  }

  #or(): Filter {
    const filters = [this.#and()];
    while (this.#takeWord('or')) filters.push(this.#and());
    return filters.length === 1 ? (filters[0] as Filter) : { kind: 'or', filters };
  }

  #and(): Filter {
    const filters = [this.#not()];
    while (this.#takeWord('and')) filters.push(this.#not());
    return filters.length === 1 ? (filters[0] as Filter) : { kind: 'and', filters };
  }

  #not(): Filter {
    if (++this.#depth > MAX_DEPTH) throw this.#error('a rule is nested too deeply');
    const filter = this.#takeWord('not')
      ? ({ kind: 'not', filter: asRule(this.#not()) } as const)
      : this.#group();
    this.#depth--;
    return filter;
  }

  #group(): Filter {
    this.#skipBlanks();
    if (this.#text[this.#at] !== '(') return this.#condition();
    this.#at++;
    const filter = this.#or();
    this.#skipBlanks();
    if (this.#text[this.#at] !== ')') throw this.#error('expected )');
    this.#at++;
    this.#skipBlanks();
    return filter;
  }

  #condition(): Filter {
    if (++this.#conditions > MAX_CONDITIONS) {
      throw this.#error(`a rule has at most ${MAX_CONDITIONS} conditions`);
    }
    const begin = this.#at;
    const { steps, end } = readPath(this.#text, begin);
    const path = checkedPath(steps, begin);
    this.#at = end;
    this.#skipBlanks();
    if (this.#text[this.#at] === '?') {
      this.#at++;
      this.#skipBlanks();
      return along(path, { kind: 'exist', expected: true });
    }
    if (this.#takeWord('in')) return this.#list(path);
    const operator = Object.keys(TEXT_OPERATORS).find((sign) =>
      this.#text.startsWith(sign, this.#at),
    );
    if (!operator) {
      throw this.#error(`expected ${Object.keys(TEXT_OPERATORS).join(' ')} ? or in`);
    }
    this.#at += operator.length;
    // `==`, `=>` and `<>` would otherwise be `=` and `<` with an odd value.
    if (COMPARED.has(operator) && /[=<>]/.test(this.#text[this.#at] ?? '')) {
      throw this.#error(`no such operator; quote a value that begins with ${this.#text[this.#at]}`);
    }
    this.#skipBlanks();
    const at = this.#at;
    const { value, text } = this.#literal(path[0] as string, { sign: operator });
    this.#skipBlanks();
    return this.#comparison(TEXT_OPERATORS[operator] as string, path, value, text, at);
  }

  #comparison(operator: string, path: PathStep[], value: Scalar, text: string, at: number): Filter {
    switch (operator) {
      case '=':
        return along(path, { kind: 'equals', value });
      case '!=':
        return { kind: 'not', filter: along(path, { kind: 'equals', value }) };
      case '~=': {
        const regex = compileRegex(text);
        if ('problem' in regex) throw new RuleSyntaxError(regex.problem, at);
        this.#programs += regex.programSize();
        if (this.#programs > MAX_PROGRAMS) throw new RuleSyntaxError(TOO_MUCH_REGEX, at);
        return along(path, { kind: 'regex', source: text, regex });
      }
      case '$startsWith':
      case '$endsWith':
        return along(path, { kind: 'compare', operator, operand: { value: text } });
      case '$contains':
        return along(path, { kind: 'compare', operator, operand: { value } });
      default:
        if (value === null || typeof value === 'boolean') {
          throw new RuleSyntaxError('expected a number or a text', at);
        }
        return along(path, {
          kind: 'compare',
          operator: operator as Comparison,
          operand: { value },
        });
    }
  }

  /** `in (a, b)` */
  #list(path: PathStep[]): Filter {
    this.#skipBlanks();
    if (this.#text[this.#at] !== '(') throw this.#error('expected ( and the values');
    const values: Scalar[] = [];
    do {
      this.#at++;
      this.#skipBlanks();
      values.push(this.#literal(path[0] as string, { separator: ',' }).value);
      this.#skipBlanks();
    } while (this.#text[this.#at] === ',');
    if (this.#text[this.#at] !== ')') throw this.#error('expected , or )');
    this.#at++;
    this.#skipBlanks();
    return along(path, { kind: 'compare', operator: '$in', operand: { value: values } });
  }

  /** Reads a value. Unquoted, it is JSON or a text, as `isTypedText` says. */
  #literal(
    root: string,
    { sign = '', separator = '' }: { sign?: string; separator?: string },
  ): { value: Scalar; text: string } {
    const at = this.#at;
    const quote = this.#text[at];
    if (quote === '"' || quote === "'") {
      const end = endOfQuoted(this.#text, at);
      this.#at = end;
      const quoted = this.#text.slice(at, end);
      const text = quote === "'" ? quoted.slice(1, -1) : parseQuoted(quoted, at);
      return { value: text, text };
    }
    this.#at = endOfBare(this.#text, at, separator);
    const text = this.#text.slice(at, this.#at);
    if (text === '') throw this.#error('expected a value; an empty text is ""');
    return { value: isTypedText(text, root, sign) ? (parseDocument(text) as Scalar) : text, text };
  }

  #takeWord(word: string): boolean {
    this.#skipBlanks();
    WORD.lastIndex = this.#at;
    const found = WORD.exec(this.#text)?.[0];
    if (found?.toLowerCase() !== word) return false;
    this.#at += found.length;
    this.#skipBlanks();
    return true;
  }

  #skipBlanks(): void {
    BLANKS.lastIndex = this.#at;
    this.#at += BLANKS.exec(this.#text)?.[0].length ?? 0;
  }

  #error(message: string): RuleSyntaxError {
    return new RuleSyntaxError(message, this.#at);
  }
}

/**
 * Reads a text that is a path in a request, such as `header.x-id` or `body.items[0].sku`. The first
 * step is the name of a part. Throws `RuleSyntaxError`.
 */
export function readRequestPath(text: string): PathStep[] {
  return checkedPath(parsePath(text), 0);
}

/** Returns the steps from the request: the first is the name of a part. */
function checkedPath(steps: readonly PathStep[], at: number): PathStep[] {
  const [root, ...rest] = steps as [string, ...PathStep[]];
  const part = ROOTS.get(root);
  if (!part) throw new RuleSyntaxError(`a path begins with ${[...ROOTS.keys()].join(', ')}`, at);
  const hasNames = WITH_NAME.has(root);
  if (rest.length > 0 && !hasNames && root !== 'body') {
    throw new RuleSyntaxError(`${root} has no members`, at + root.length);
  }
  if (hasNames && typeof rest[0] !== 'string') {
    throw new RuleSyntaxError(`expected ${root}.NAME`, at + root.length);
  }
  if (root === 'header') rest[0] = (rest[0] as string).toLowerCase();
  return [part, ...rest];
}

/** Returns the filter that applies `leaf` at the end of a path. */
function along(path: readonly PathStep[], leaf: Filter): Filter {
  return path.reduceRight((filter: Filter, step): Filter => {
    if (step === EVERY) return { kind: 'list', filters: [filter] };
    if (typeof step === 'number') return { kind: 'at', index: step, filter };
    return { kind: 'object', conditions: [{ kind: 'member', name: step as string, filter }] };
  }, leaf);
}

/** Makes a filter a whole rule, because the operand of `not` must be one. */
function asRule(filter: Filter): Filter {
  return filter.kind === 'object' ? filter : { kind: 'object', conditions: [filter] };
}

function endOfQuoted(text: string, at: number): number {
  const quote = text[at] as string;
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\' && quote === '"') end++;
    else if (text[end] === quote) return end + 1;
  }
  throw new RuleSyntaxError('this quote has no end', at);
}
