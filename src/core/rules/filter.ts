import type { RE2JS } from 're2js';
import type { Scalar, Value } from './document.ts';
import type { PathStep } from './path.ts';

/**
 * A rule, checked and ready to run. `read-json.ts` and `read-text.ts` read it from its two forms. A
 * whole rule is an `object` over the parts of a request (`RuleParts`).
 */
export type Filter =
  /** A literal: the value equals it, or is an array with an element that does. */
  | { kind: 'equals'; value: Scalar }
  /** The value is an array, and each filter fits some element. */
  | { kind: 'list'; filters: Filter[] }
  /**
   * All conditions hold. If the value is an array and a condition is a `member`, all hold for the
   * same element.
   */
  | { kind: 'object'; conditions: Filter[] }
  | { kind: 'member'; name: string; filter: Filter }
  | { kind: 'at'; index: number; filter: Filter }
  | { kind: 'exist'; expected: boolean }
  | { kind: 'compare'; operator: Comparison; operand: Operand }
  | { kind: 'regex'; source: string; regex: RE2JS }
  | { kind: 'and' | 'or'; filters: Filter[] }
  | { kind: 'not'; filter: Filter }
  /** The value equals another one of the same part. */
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
  /** As written. */
  text: string;
  steps: PathStep[];
}

/** The parts of a request that a rule names, as the JSON form spells them. */
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
