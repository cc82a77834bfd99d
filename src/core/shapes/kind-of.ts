import { KIND } from './shape.ts';

/** The kinds of values as people see them. All numbers are one kind. */
export type KindName = 'null' | 'boolean' | 'number' | 'string' | 'object' | 'array';

const INT64_END = 2 ** 63;
const NUMBERS = KIND.integer | KIND.long | KIND.fraction;

/** Returns the kind of a payload's value: a member of `KIND`. */
export function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return KIND.string;
    case 'number':
      if (Number.isSafeInteger(value)) return KIND.integer;
      return Number.isInteger(value) && Math.abs(value) < INT64_END ? KIND.long : KIND.fraction;
    case 'boolean':
      return KIND.boolean;
    case 'symbol':
      return KIND.fraction;
    default:
      if (value === null) return KIND.null;
      return Array.isArray(value) ? KIND.array : KIND.object;
  }
}

/** Returns the names of a place's kinds. Empty if the place may have any value. */
export function kindNames(kinds: number): KindName[] {
  if (kinds & KIND.any) return [];
  const names: KindName[] = [];
  if (kinds & KIND.null) names.push('null');
  if (kinds & KIND.boolean) names.push('boolean');
  if (kinds & NUMBERS) names.push('number');
  if (kinds & KIND.string) names.push('string');
  if (kinds & KIND.object) names.push('object');
  if (kinds & KIND.array) names.push('array');
  return names;
}
