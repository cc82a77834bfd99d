import { EVERYTHING } from '../../../core/judging/order.ts';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter, DroppedBy, OrderKey } from '../../../core/rules/verdict.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';
import type { ReplayVerdict } from '../judging/replay-rules.ts';

/** A present destination that events may be replayed to. */
export interface ReplayDestination extends ClaimedDestination {
  id: string;
  createdAt: number;
  ruleVersion: number;
  filter: RuleSource | null;
  orderBy: string | null;
}

/**
 * Which of its destinations an event is replayed to.
 *
 * - `all`: those whose filter didn't drop it, in a round that replaces all earlier ones.
 *   Those that are newer than the event, and all where it couldn't be judged, judge it now.
 * - `some`: the same, in a round that replaces earlier deliveries to them alone.
 * - `named`: all of them, whatever their filters say.
 * - `filtered`: those whose filter dropped it and would no longer.
 */
export type ReplayMode = 'all' | 'some' | 'named' | 'filtered';

/** What its capture says of an event. */
export interface JudgedBefore {
  receivedAt: number;
  /** `events.unjudged`. */
  unjudged: number | null;
}

/** A filter or an order that must judge an event before its replay; null where none must. */
export function ruleFor(
  mode: ReplayMode,
  { key, ruleVersion, filter, orderBy, createdAt }: ReplayDestination,
  event: JudgedBefore,
): DestinationFilter | null {
  const isJudged = createdAt <= event.receivedAt && event.unjudged === null;
  const judgedBy = mode === 'filtered' || (mode !== 'named' && !isJudged) ? filter : null;
  const orderedBy = orderBy === EVERYTHING ? null : orderBy;
  if (judgedBy === null && orderedBy === null) return null;
  return { destinationKey: key, ruleVersion, filter: judgedBy, orderBy: orderedBy };
}

/** The destinations that get the event. */
export function targetsOf(
  mode: ReplayMode,
  destinations: readonly ReplayDestination[],
  drops: readonly DroppedBy[],
  verdict: ReplayVerdict | undefined,
): readonly ReplayDestination[] {
  if (mode === 'named') return destinations;
  const dropped = new Set(drops.map(({ destinationKey }) => destinationKey));
  return destinations.filter(
    ({ key }) => dropped.has(key) === (mode === 'filtered') && !verdict?.dropped.includes(key),
  );
}

export function orderKeysOf(
  destinations: readonly Pick<ReplayDestination, 'key' | 'orderBy'>[],
  verdict: ReplayVerdict | undefined,
): OrderKey[] {
  const all = destinations.filter(({ orderBy }) => orderBy === EVERYTHING);
  return [
    ...all.map(({ key }) => ({ destinationKey: key, key: EVERYTHING })),
    ...(verdict?.orderKeys ?? []),
  ];
}
