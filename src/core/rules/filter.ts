import type { RE2JS } from 're2js';
import type { Scalar, Value } from './document.ts';
import type { PathStep } from './path.ts';

/**
 * A rule that is checked and ready to run. A rule has two forms: `read-json.ts` reads one and
 * `read-text.ts` the other. A whole rule is an `object` whose members are parts of a request
 * (`RuleParts`).
 */
export type Filter =
  /** The value equals this literal, or is an array that contains it at any depth. */
  | { kind: 'equals'; value: Scalar }
  /** The value is an array, and each filter fits at least one element. */
  | { kind: 'list'; filters: Filter[] }
  /**
   * All conditions hold. If the value is an array and a condition is a `member`, all conditions
   * hold for the same element.
   */
  | { kind: 'object'; conditions: Filter[] }
  | { kind: 'member'; name: string; filter: Filter }
  | { kind: 'at'; index: number; filter: Filter }
  | { kind: 'exist'; expected: boolean }
  | { kind: 'compare'; operator: Comparison; operand: Operand }
  | { kind: 'regex'; source: string; regex: RE2JS }
  | { kind: 'and' | 'or'; filters: Filter[] }
  | { kind: 'not'; filter: Filter }
  /** The value equals another value in the same part of the request. */
  | { kind: 'ref'; ref: Reference };

export const COMPARISONS = [
  '$eq',
  '$neq',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$startsWith',
  '$endsWith',
  '$contains',
] as const;

export type Comparison = (typeof COMPARISONS)[number];

/** What a value is compared with. */
export type Operand = { value: Value } | { ref: Reference };

/** A value elsewhere in the same part of the request. */
export interface Reference {
  /** The reference as its owner wrote it. */
  text: string;
  steps: PathStep[];
}

/** The parts of a request that a rule may name, as its JSON form spells them. */
export const PARTS = [
  'method',
  'path',
  'query',
  'headers',
  'body',
  'form',
  'provider',
  'type',
  'verification',
  'size',
  'source_ip',
] as const;

export type PartName = (typeof PARTS)[number];
