import type { Filter } from '../../../core/rules/filter.ts';
import { type RuleSource, readRule } from '../../../core/rules/rule.ts';
import { type Sieve, sieveOf, textClause } from '../../../core/rules/sieve.ts';
import { standsInBody } from '../../../providers/body-type.ts';
import type { EventFilter } from '../../contract/events.ts';
import { foldedSieve } from './folded-text.ts';

/** Conditions on an event's row. */
export interface RowFilter extends Omit<EventFilter, 'q' | 'ignoreCase' | 'type' | 'where'> {
  /** The type that the headers name. Null: the headers name none, but the body may. */
  headerType?: string | null;
}

export interface Search {
  rows: RowFilter;
  q: string | undefined;
  content: ContentTest | null;
}

/** Conditions on contents. */
export interface ContentTest {
  where: RuleSource | null;
  /** The type that the body must name. Null: any type. */
  type: string | null;
  sieve: Sieve;
  /** The text that the body must contain, in any case. Null: any body. */
  folded: string | null;
  /** Whether the event's row is enough to judge the event. */
  isOfRow: boolean;
}

/** The parts of a request that are in the event's row. */
const ROW_PARTS: ReadonlySet<string> = new Set([
  'method',
  'path',
  'provider',
  'verification',
  'size',
  'source_ip',
]);

/**
 * Returns the searches that together find the events of a filter, each event once. A type needs two
 * searches: one for events whose headers name the type, which their rows show, and one for events
 * whose bodies may name it.
 */
export function searchesOf(filter: EventFilter): Search[] {
  const { q: text, ignoreCase = false, type, where, ...rows } = filter;
  const [q, folded] = ignoreCase ? [undefined, text ?? null] : [text, null];
  const rule = where === undefined ? null : readRule(where);
  const sieve = [...(folded === null ? [] : foldedSieve(folded)), ...(rule ? sieveOf(rule) : [])];
  const content =
    rule === null && folded === null
      ? null
      : {
          ...{ where: where ?? null, type: null, sieve, folded },
          isOfRow: folded === null && rule !== null && isOfRow(rule),
        };
  const wanted = type ?? (rule && typeIn(rule));
  if (wanted === null) return [{ rows, q, content }];
  return [
    { rows: { ...rows, headerType: wanted }, q, content },
    {
      rows: { ...rows, headerType: null },
      q,
      content: {
        where: where ?? null,
        type: wanted,
        sieve: [...(standsInBody(wanted) ? textClause([wanted]) : []), ...sieve],
        folded,
        isOfRow: false,
      },
    },
  ];
}

function isOfRow(rule: Filter): boolean {
  switch (rule.kind) {
    case 'object':
      return rule.conditions.every(isOfRow);
    case 'and':
    case 'or':
      return rule.filters.every(isOfRow);
    case 'not':
      return isOfRow(rule.filter);
    case 'member':
      return ROW_PARTS.has(rule.name);
    default:
      return false;
  }
}

/** Returns the type that the rule demands. Returns null if it demands none, or allows several. */
function typeIn(rule: Filter): string | null {
  switch (rule.kind) {
    case 'object':
      return firstOf(rule.conditions);
    case 'and':
      return firstOf(rule.filters);
    case 'member':
      return rule.name === 'type' ? equalTo(rule.filter) : null;
    default:
      return null;
  }
}

function firstOf(filters: readonly Filter[]): string | null {
  for (const filter of filters) {
    const type = typeIn(filter);
    if (type !== null) return type;
  }
  return null;
}

function equalTo(filter: Filter): string | null {
  const isEquality = filter.kind === 'compare' && filter.operator === '$eq';
  const value =
    filter.kind === 'equals'
      ? filter.value
      : isEquality && 'value' in filter.operand
        ? filter.operand.value
        : null;
  return typeof value === 'string' ? value : null;
}
