import { isNumber, isScalar, type Scalar, typeName, type Value } from './document.ts';
import {
  COMPARISONS,
  type Comparison,
  type Filter,
  type Operand,
  PARTS,
  type Reference,
} from './filter.ts';
import { parsePath } from './path.ts';
import { compileRegex } from './regex.ts';
import { MAX_CONDITIONS, MAX_DEPTH, MAX_PROGRAMS, TOO_MUCH_REGEX } from './rule-limits.ts';

/** What is wrong with a rule, and where. */
export interface RuleFieldError {
  /** Such as `body.amount.$gte`. */
  path: string;
  message: string;
}

export class RuleFieldErrors extends Error {
  override readonly name = 'RuleFieldErrors';
  readonly issues: readonly RuleFieldError[];

  constructor(issues: readonly RuleFieldError[]) {
    super(issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '));
    this.issues = issues;
  }
}

const PART_NAMES: ReadonlySet<string> = new Set(PARTS);
const OPERATORS: ReadonlySet<string> = new Set(COMPARISONS);
const ALL_OPERATORS = [...COMPARISONS, '$exist', '$regex', '$and', '$or', '$not', '$ref', '$at'];

/**
 * Reads the JSON form of a rule. It is Hookdeck's filter syntax with the operators `$contains`,
 * `$regex` and `$at` added. Throws `RuleFieldErrors` with all faults.
 */
export function readJsonRule(rule: Value): Filter {
  const reader = new Reader();
  const filter = reader.rule(rule);
  if (reader.issues.length > 0) throw new RuleFieldErrors(reader.issues);
  return filter;
}

class Reader {
  readonly issues: RuleFieldError[] = [];
  #conditions = 0;
  #programs = 0;
  #depth = 0;

  /** Reads a whole rule. Its members are parts of a request. */
  rule(rule: Value, at = ''): Filter {
    return this.#nested(at, () => this.#rule(rule, at));
  }

  filter(filter: Value, at: string): Filter {
    return this.#nested(at, () => this.#filter(filter, at));
  }

  /** Reads one level deeper, within the limits. */
  #nested(at: string, read: () => Filter): Filter {
    this.#conditions++;
    if (this.#conditions > MAX_CONDITIONS) {
      if (this.#conditions > MAX_CONDITIONS + 1) return NOTHING;
      return this.#report(at, `a rule has at most ${MAX_CONDITIONS} conditions`);
    }
    if (this.#depth === MAX_DEPTH) return this.#report(at, 'a rule is nested too deeply');
    this.#depth++;
    const filter = read();
    this.#depth--;
    return filter;
  }

  #rule(rule: Value, at: string): Filter {
    if (!isObject(rule)) {
      this.#report(at, `expected an object with ${PARTS.join(', ')}, or $and, $or, $not`);
      return NOTHING;
    }
    const conditions = Object.entries(rule).map(([name, value]): Filter => {
      const path = joined(at, name);
      if (name === '$and' || name === '$or') return this.#logic(name, value, path, 'rule');
      if (name === '$not') return { kind: 'not', filter: this.rule(value, path) };
      if (!PART_NAMES.has(name)) {
        const hint = name === 'header' ? '; the headers are in "headers"' : '';
        this.#report(path, `a request has no such part${hint}`);
        return NOTHING;
      }
      const filter = this.filter(value, path);
      return { kind: 'member', name, filter: name === 'headers' ? lowerCased(filter) : filter };
    });
    return { kind: 'object', conditions };
  }

  #filter(filter: Value, at: string): Filter {
    if (isScalar(filter)) return { kind: 'equals', value: filter };
    if (Array.isArray(filter)) {
      return { kind: 'list', filters: filter.map((item, i) => this.filter(item, joined(at, i))) };
    }
    const conditions = Object.entries(filter).map(([name, value]) =>
      name.startsWith('$')
        ? this.#operator(name, value, joined(at, name))
        : this.#member(name, value, joined(at, name)),
    );
    return conditions.length === 1 && !isMember(conditions[0] as Filter)
      ? (conditions[0] as Filter)
      : { kind: 'object', conditions };
  }

  /** A leading backslash makes `$oid` a name instead of an operator. */
  #member(name: string, value: Value, at: string): Filter {
    return { kind: 'member', name: name.replace(/^\\/, ''), filter: this.filter(value, at) };
  }

  #operator(name: string, value: Value, at: string): Filter {
    switch (name) {
      case '$and':
      case '$or':
        return this.#logic(name, value, at, 'filter');
      case '$not':
        return { kind: 'not', filter: this.filter(value, at) };
      case '$exist':
        if (typeof value === 'boolean') return { kind: 'exist', expected: value };
        return this.#report(at, `expected true or false, got ${typeName(value)}`);
      case '$regex':
        return this.#regex(value, at);
      case '$ref': {
        const ref = this.#reference(value, at);
        return ref ? { kind: 'ref', ref } : NOTHING;
      }
      case '$at':
        return this.#at(value, at);
      default:
        return this.#comparison(name, value, at);
    }
  }

  #logic(name: '$and' | '$or', value: Value, at: string, read: 'rule' | 'filter'): Filter {
    if (!Array.isArray(value) || value.length === 0) {
      return this.#report(at, `expected a list of filters, got ${typeName(value)}`);
    }
    const filters = value.map((item, i) => this[read](item, joined(at, i)));
    return { kind: name === '$and' ? 'and' : 'or', filters };
  }

  #regex(value: Value, at: string): Filter {
    if (typeof value !== 'string') {
      return this.#report(at, `expected a text, got ${typeName(value)}`);
    }
    const regex = compileRegex(value);
    if ('problem' in regex) return this.#report(at, regex.problem);
    this.#programs += regex.programSize();
    if (this.#programs > MAX_PROGRAMS) return this.#report(at, TOO_MUCH_REGEX);
    return { kind: 'regex', source: value, regex };
  }

  #at(value: Value, at: string): Filter {
    if (!isObject(value) || Object.keys(value).length === 0) {
      return this.#report(at, 'expected filters by index, such as {"0": …}');
    }
    const filters = Object.entries(value).map(([index, filter]): Filter => {
      const path = joined(at, index);
      if (!/^(0|[1-9]\d{0,8})$/.test(index)) return this.#report(path, 'expected an index');
      return { kind: 'at', index: Number(index), filter: this.filter(filter, path) };
    });
    return filters.length === 1 ? (filters[0] as Filter) : { kind: 'and', filters };
  }

  #comparison(name: string, value: Value, at: string): Filter {
    if (!OPERATORS.has(name)) {
      return this.#report(
        at,
        `no such operator; there are ${ALL_OPERATORS.join(', ')}; a member of this name is "\\\\${name}"`,
      );
    }
    const operator = name as Comparison;
    const operand = this.#operand(value, at);
    if (isDeeper(value, MAX_DEPTH)) return this.#report(at, 'a value is nested too deeply');
    const problem = operand && 'value' in operand && problemOf(operator, operand.value);
    if (problem) return this.#report(at, `expected ${problem}, got ${typeName(value)}`);
    return operand ? { kind: 'compare', operator, operand } : NOTHING;
  }

  #operand(value: Value, at: string): Operand | null {
    if (!isObject(value) || !Object.hasOwn(value, '$ref')) return { value };
    if (Object.keys(value).length > 1) {
      this.#report(at, '$ref stands alone in its object');
      return null;
    }
    const ref = this.#reference(value.$ref as Value, joined(at, '$ref'));
    return ref && { ref };
  }

  /**
   * Reads a path in JSONPath's spelling: `$.a.b[0]`. The `$.` is optional. `[$index]` is allowed.
   */
  #reference(value: Value, at: string): Reference | null {
    if (typeof value !== 'string') {
      this.#report(at, `expected a path, got ${typeName(value)}`);
      return null;
    }
    const path = value.replace(/^\$\.?/, '');
    try {
      // If the part is an array, the path begins with an index.
      const steps = path.startsWith('[') ? parsePath(`x${path}`).slice(1) : parsePath(path);
      return { text: value, steps };
    } catch {
      this.#report(at, 'expected a path such as created_at or items[$index].price');
      return null;
    }
  }

  #report(path: string, message: string): Filter {
    this.issues.push({ path, message });
    return NOTHING;
  }
}

/** Stands for a part of a rule that couldn't be read. */
const NOTHING: Filter = { kind: 'or', filters: [] };

/** Returns what an operator expects instead of this operand. Null if it can use the operand. */
function problemOf(operator: Comparison, operand: Value): string | null {
  const isText = typeof operand === 'string';
  switch (operator) {
    case '$eq':
    case '$neq':
      return null;
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return isText || isNumber(operand) ? null : 'a number or a text';
    case '$in':
    case '$nin':
      return isText || isListOf(operand, isScalar) ? null : 'a list of values';
    case '$contains':
      return isScalar(operand) ? null : 'a single value';
    default:
      return isText || isListOf(operand, (item): item is string => typeof item === 'string')
        ? null
        : 'a text or a list of texts';
  }
}

function isListOf(value: Value, isItem: (item: Value) => item is Scalar): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isItem);
}

function isDeeper(value: Value, levels: number): boolean {
  if (isScalar(value)) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function isObject(value: Value): value is { [name: string]: Value } {
  return !isScalar(value) && !Array.isArray(value);
}

function isMember({ kind }: Filter): boolean {
  return kind === 'member';
}

/** Returns the filter with header names in lower case, because their case doesn't matter. */
function lowerCased(filter: Filter): Filter {
  switch (filter.kind) {
    case 'member':
      return { ...filter, name: filter.name.toLowerCase(), filter: lowerCased(filter.filter) };
    case 'object':
      return { ...filter, conditions: filter.conditions.map(lowerCased) };
    case 'and':
    case 'or':
    case 'list':
      return { ...filter, filters: filter.filters.map(lowerCased) };
    case 'not':
    case 'at':
      return { ...filter, filter: lowerCased(filter.filter) };
    case 'ref':
      return { ...filter, ref: lowerCasedRef(filter.ref) };
    case 'compare': {
      const { operand } = filter;
      return 'ref' in operand
        ? { ...filter, operand: { ref: lowerCasedRef(operand.ref) } }
        : filter;
    }
    default:
      return filter;
  }
}

function lowerCasedRef({ text, steps: [first, ...rest] }: Reference): Reference {
  const name = typeof first === 'string' ? first.toLowerCase() : first;
  return { text, steps: name === undefined ? [] : [name, ...rest] };
}

function joined(at: string, name: string | number): string {
  return at === '' ? String(name) : `${at}.${name}`;
}
