/**
 * A slow second reading of the rules' JSON form, straight from `docs/rules.md`. Numbers
 * are texts here (`{ n: '1.0' }`), compared as fractions of whole numbers.
 */
export type Plain = null | boolean | string | { n: string } | Plain[] | Map<string, Plain>;

export function plainOf(json: string): Plain {
  return JSON.parse(json, (_name, value: unknown, context?: { source?: string }) => {
    if (typeof value === 'number') return { n: context?.source ?? String(value) };
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    if (Object.keys(value).join() === 'n') return value;
    return new Map(Object.entries(value));
  }) as Plain;
}

export function fits(value: Plain | undefined, filter: Plain): boolean {
  if (isAtom(filter)) return hasOrIs(value, filter);
  if (Array.isArray(filter)) {
    return Array.isArray(value) && filter.every((one) => value.some((item) => fits(item, one)));
  }
  const entries = [...(filter as Map<string, Plain>)];
  const aboutMembers = entries.length === 0 || entries.some(([name]) => !name.startsWith('$'));
  if (aboutMembers && Array.isArray(value)) {
    const items = innermost(value);
    return (items.length === 0 ? [undefined] : items).some((item) => fits(item, filter));
  }
  if (entries.length === 0) return value instanceof Map;
  return entries.every(([name, inner]) => {
    if (!name.startsWith('$'))
      return fits(value instanceof Map ? value.get(name.replace(/^\\/, '')) : undefined, inner);
    return holds(name, value, inner);
  });
}

function innermost(values: Plain[]): Plain[] {
  return values.flatMap((value) => (Array.isArray(value) ? innermost(value) : [value]));
}

function holds(operator: string, value: Plain | undefined, operand: Plain): boolean {
  const text = typeof value === 'string' ? value : null;
  const texts = (Array.isArray(operand) ? operand : [operand]) as string[];
  switch (operator) {
    case '$and':
      return (operand as Plain[]).every((one) => fits(value, one));
    case '$or':
      return (operand as Plain[]).some((one) => fits(value, one));
    case '$not':
      return !fits(value, operand);
    case '$exist':
      return (value !== undefined) === operand;
    case '$at':
      return [...(operand as Map<string, Plain>)].every(([index, inner]) =>
        fits(Array.isArray(value) ? value[Number(index)] : undefined, inner),
      );
    case '$eq':
      return value !== undefined && same(value, operand);
    case '$neq':
      return !holds('$eq', value, operand);
    case '$in':
      if (!Array.isArray(operand)) return text?.includes(operand as string) ?? false;
      return isAtom(value) && operand.some((one) => same(value as Plain, one));
    case '$nin':
      return !holds('$in', value, operand);
    case '$startsWith':
      return text !== null && texts.some((one) => text.startsWith(one));
    case '$endsWith':
      return text !== null && texts.some((one) => text.endsWith(one));
    case '$contains':
      if (Array.isArray(value)) return value.some((item) => same(item, operand));
      return text !== null && typeof operand === 'string' && text.includes(operand);
    case '$regex':
      return text !== null && new RegExp(operand as string, 'u').test(text);
    case '$gt':
      return order(value, operand) === 1;
    case '$gte':
      return [0, 1].includes(order(value, operand) ?? 9);
    case '$lt':
      return order(value, operand) === -1;
    case '$lte':
      return [-1, 0].includes(order(value, operand) ?? 9);
  }
  throw new Error(`unknown operator ${operator}`);
}

function isNumber(value: Plain | undefined): value is { n: string } {
  return typeof value === 'object' && value !== null && 'n' in value && !(value instanceof Map);
}

function isAtom(value: Plain | undefined): boolean {
  return value !== undefined && (value === null || typeof value !== 'object' || isNumber(value));
}

function hasOrIs(value: Plain | undefined, atom: Plain): boolean {
  if (Array.isArray(value)) return value.some((item) => hasOrIs(item, atom));
  return value !== undefined && same(value, atom);
}

function same(a: Plain, b: Plain): boolean {
  if (isNumber(a) && isNumber(b)) return order(a, b) === 0;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => same(item, b[i] as Plain));
  }
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([n, v]) => b.has(n) && same(v, b.get(n) as Plain));
  }
  return a === b;
}

function order(a: Plain | undefined, b: Plain): number | null {
  const number = isNumber(a) ? a.n : a;
  if (isNumber(b) && typeof number === 'string') {
    if (!DECIMAL.test(number)) return null;
    const difference = scaled(number) - scaled(b.n);
    return difference === 0n ? 0 : difference > 0n ? 1 : -1;
  }
  if (typeof a !== 'string' || typeof b !== 'string') return null;
  return a < b ? -1 : a > b ? 1 : 0;
}

const DECIMAL = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;

/** × 10^500, for the numbers that the tests use. */
function scaled(text: string): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(text) ?? [];
  const size = BigInt(whole + fraction) * 10n ** BigInt(500 + Number(exponent) - fraction.length);
  return sign ? -size : size;
}
