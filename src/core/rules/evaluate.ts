import { isNumber, isScalar, type Scalar, typeName, type Value } from './document.ts';
import { equalValues } from './equal-values.ts';
import { compareNumbers, numberInText } from './exact-number.ts';
import type { Comparison, Filter, Operand, PartName, Reference } from './filter.ts';
import { CURRENT, memberOf, valueAt } from './path.ts';
import type { Work } from './work.ts';

/** The parts of a request. A part is read when a rule first uses it. */
export interface RuleParts {
  get(name: PartName): Value | undefined;
  /** How many steps judging this request may still take. */
  readonly work: Work;
}

/** How many mismatches are kept, because an array of a million elements may have a million. */
const MAX_MISMATCHES = 10;
/** How many characters one step compares. */
const CHARACTERS = 64;
/** How many characters of a number in a text one step reads. */
const NUMBER_CHARACTERS = 8;
/** How much of a regex one step matches: characters times instructions. */
const MATCHES = 4;

/** A value whose type an operator can't handle, so the condition doesn't hold. */
export interface Mismatch {
  /** Where the value is: `body.amount`. */
  path: string;
  operator: string;
  /** The value's type: `text`. */
  type: string;
}

/**
 * Returns whether a request fits a rule. Throws `RuleTooCostly`.
 *
 * @param mismatches collects the first values whose types operators can't handle
 */
export function fitsRule(rule: Filter, parts: RuleParts, mismatches?: Mismatch[]): boolean {
  return new Evaluation(parts, mismatches).rule(rule);
}

/**
 * Returns whether a rule that a request doesn't fit would fit it if each condition held whose
 * operator can't take the value. Then the request doesn't fit because of such a value. `null` never
 * counts, because senders send it for a missing value. Throws `RuleTooCostly`.
 */
export function failsByMismatch(rule: Filter, parts: RuleParts): boolean {
  return new Evaluation(parts, undefined, true).rule(rule);
}

class Evaluation {
  readonly #parts: RuleParts;
  readonly #work: Work;
  readonly #mismatches: Mismatch[] | undefined;
  /** Whether a condition holds if its operator can't take the value. */
  readonly #atMismatch: boolean;
  /** The path from the request to the current value. */
  readonly #path: (string | number)[] = [];
  /** The current indexes of the enclosing arrays, outermost first. */
  readonly #indexes: number[] = [];
  /** The values of references without `[$index]`, which are the same for every element. */
  readonly #fixed = new Map<Reference, Value | undefined>();

  constructor(parts: RuleParts, mismatches: Mismatch[] | undefined, atMismatch = false) {
    this.#parts = parts;
    this.#work = parts.work;
    this.#mismatches = mismatches;
    this.#atMismatch = atMismatch;
  }

  rule(rule: Filter): boolean {
    switch (rule.kind) {
      case 'object':
        return rule.conditions.every((condition) => this.rule(condition));
      case 'and':
        return rule.filters.every((filter) => this.rule(filter));
      case 'or':
        return rule.filters.some((filter) => this.rule(filter));
      case 'not':
        return !this.rule(rule.filter);
      case 'member': {
        const part = this.#parts.get(rule.name as PartName);
        return this.#inside(rule.name, () => this.#fits(rule.filter, part));
      }
      default:
        throw new TypeError(`${rule.kind} can't stand at the top of a rule`);
    }
  }

  #fits(filter: Filter, value: Value | undefined): boolean {
    this.#work.spend(1);
    switch (filter.kind) {
      case 'equals':
        return equalsOrContains(value, filter.value, this.#work);
      case 'list':
        return (
          Array.isArray(value) &&
          filter.filters.every((one) =>
            this.#someElement(value, (element) => this.#fits(one, element)),
          )
        );
      case 'object':
        return this.#object(filter.conditions, value);
      case 'member':
        return this.#inside(filter.name, () =>
          this.#fits(filter.filter, memberOf(value, filter.name)),
        );
      case 'at': {
        const element = Array.isArray(value) ? value[filter.index] : undefined;
        return this.#inside(filter.index, () => this.#fits(filter.filter, element));
      }
      case 'exist':
        return (value !== undefined) === filter.expected;
      case 'and':
        return filter.filters.every((one) => this.#fits(one, value));
      case 'or':
        return filter.filters.some((one) => this.#fits(one, value));
      case 'not':
        return !this.#fits(filter.filter, value);
      case 'regex':
        if (typeof value !== 'string') return this.#mismatch(value, '$regex');
        this.#work.spend((value.length * filter.regex.programSize()) / MATCHES);
        return filter.regex.test(value);
      case 'ref': {
        const other = this.#referred(filter.ref);
        return value !== undefined && other !== undefined && matches(value, other, this.#work);
      }
      case 'compare':
        return this.#compare(filter.operator, value, filter.operand);
    }
  }

  /**
   * Tests an object of conditions. If it has members and the value is an array, all conditions must
   * hold for the same element of the array. An array without elements lacks the members, so its
   * conditions see a missing value.
   */
  #object(conditions: readonly Filter[], value: Value | undefined): boolean {
    const isAny = conditions.length === 0;
    const hold = (candidate: Value | undefined) =>
      isAny
        ? candidate !== undefined && !isScalar(candidate)
        : conditions.every((condition) => this.#fits(condition, candidate));
    const isAboutMembers = isAny || conditions.some(({ kind }) => kind === 'member');
    return isAboutMembers && Array.isArray(value) ? this.#someInnermost(value, hold) : hold(value);
  }

  /**
   * Returns whether an element fits, at any depth of arrays within arrays. If there is no element,
   * returns whether a missing value fits. It doesn't recurse, because a body may be nested a million
   * levels deep.
   */
  #someInnermost(
    elements: readonly Value[],
    fits: (element: Value | undefined) => boolean,
  ): boolean {
    const levels = [this.#path.length, this.#indexes.length] as const;
    const open = [elements];
    const enter = () => {
      this.#path.push(-1);
      this.#indexes.push(-1);
    };
    enter();
    let found = false;
    let isEmpty = true;
    for (let array = open.at(-1); array && !found; array = open.at(-1)) {
      const i = (this.#indexes.pop() as number) + 1;
      this.#path.pop();
      if (i === array.length) {
        open.pop();
        continue;
      }
      this.#indexes.push(i);
      this.#path.push(i);
      const element = array[i] as Value;
      if (Array.isArray(element)) {
        open.push(element);
        enter();
      } else {
        isEmpty = false;
        found = fits(element);
      }
    }
    [this.#path.length, this.#indexes.length] = levels;
    return isEmpty ? fits(undefined) : found;
  }

  #someElement(elements: readonly Value[], fits: (element: Value) => boolean): boolean {
    const depth = this.#indexes.push(0) - 1;
    const found = elements.some((element, i) => {
      this.#work.spend(1);
      this.#indexes[depth] = i;
      return this.#inside(i, () => fits(element));
    });
    this.#indexes.pop();
    return found;
  }

  #compare(operator: Comparison, value: Value | undefined, operand: Operand): boolean {
    if (operator === '$neq') return !this.#compare('$eq', value, operand);
    if (operator === '$nin') return !this.#compare('$in', value, operand);
    const other = 'value' in operand ? operand.value : this.#referred(operand.ref);
    if (value === undefined || other === undefined) return false;
    return test(operator, value, other, this.#work) ?? this.#mismatch(value, operator);
  }

  #referred(reference: Reference): Value | undefined {
    if (this.#fixed.has(reference)) return this.#fixed.get(reference);
    const { steps } = reference;
    const part = this.#parts.get(this.#path[0] as PartName);
    const found = valueAt(part, steps, this.#work, this.#indexes);
    if (!steps.includes(CURRENT)) this.#fixed.set(reference, found);
    return found;
  }

  #inside(name: string | number, look: () => boolean): boolean {
    this.#path.push(name);
    const fits = look();
    this.#path.pop();
    return fits;
  }

  #mismatch(value: Value | undefined, operator: string): boolean {
    if (value === undefined) return false;
    const mismatches = this.#mismatches;
    if (mismatches && mismatches.length < MAX_MISMATCHES) {
      mismatches.push({ path: this.#path.join('.'), operator, type: typeName(value) });
    }
    return value !== null && this.#atMismatch;
  }
}

/** Applies an operator. Returns null if the operator can't handle these values. */
function test(operator: Comparison, value: Value, operand: Value, work: Work): boolean | null {
  if (typeof value === 'string') work.spend(value.length / CHARACTERS);
  switch (operator) {
    case '$eq':
      return equalValues(value, operand, work);
    case '$in':
      if (Array.isArray(operand)) {
        return isScalar(value) ? operand.some((one) => equalValues(value, one, work)) : null;
      }
      return typeof value === 'string' && typeof operand === 'string'
        ? value.includes(operand)
        : null;
    case '$contains':
      if (Array.isArray(value)) {
        return value.some((element) => equalValues(element, operand, work));
      }
      return typeof value === 'string' && typeof operand === 'string'
        ? value.includes(operand)
        : null;
    case '$startsWith':
      return typeof value === 'string' ? someText(operand, (text) => value.startsWith(text)) : null;
    case '$endsWith':
      return typeof value === 'string' ? someText(operand, (text) => value.endsWith(text)) : null;
    default: {
      const order = orderOf(value, operand, work);
      return order === null ? null : hasOrder(operator, order);
    }
  }
}

function someText(operand: Value, fits: (text: string) => boolean): boolean | null {
  const texts = Array.isArray(operand) ? operand : [operand];
  return texts.every((text) => typeof text === 'string') ? texts.some(fits) : null;
}

/**
 * Compares two numbers by value, or two texts by code units, which is right for ISO times. With a
 * number, a text that spells a number counts as that number, because many providers send amounts as
 * text. Returns null for other values.
 */
function orderOf(value: Value, operand: Value, work: Work): number | null {
  if (isNumber(operand)) {
    const number = typeof value === 'string' ? numberIn(value, work) : value;
    return isNumber(number) ? compareNumbers(number, operand) : null;
  }
  if (typeof value !== 'string' || typeof operand !== 'string') return null;
  if (value === operand) return 0;
  return value < operand ? -1 : 1;
}

function numberIn(text: string, work: Work): ReturnType<typeof numberInText> {
  work.spend(text.length / NUMBER_CHARACTERS);
  return numberInText(text);
}

function hasOrder(operator: Comparison, order: number): boolean {
  switch (operator) {
    case '$gt':
      return order > 0;
    case '$gte':
      return order >= 0;
    case '$lt':
      return order < 0;
    default:
      return order <= 0;
  }
}

/** Returns whether the value equals the literal, or is an array that contains it at any depth. */
function equalsOrContains(value: Value | undefined, literal: Scalar, work: Work): boolean {
  if (!Array.isArray(value)) return value !== undefined && equalValues(value, literal, work);
  const open: { array: readonly Value[]; next: number }[] = [{ array: value, next: 0 }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const element = top.array[top.next++];
    if (element === undefined) open.pop();
    else if (Array.isArray(element)) open.push({ array: element, next: 0 });
    else if (equalValues(element, literal, work)) return true;
  }
  return false;
}

/** Returns whether a value equals the value of a reference, or is an array that contains it. */
function matches(value: Value, other: Value, work: Work): boolean {
  return isScalar(other) ? equalsOrContains(value, other, work) : equalValues(value, other, work);
}
