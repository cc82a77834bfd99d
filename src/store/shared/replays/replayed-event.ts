import { EVERYTHING } from '../../../core/judging/order.ts';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DroppedBy, OrderKey } from '../../../core/rules/verdict.ts';
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

/** The drops that stay once the event goes to these destinations; null where none goes. */
export function dropsLeft<Drop extends DroppedBy>(
  drops: readonly Drop[],
  destinations: readonly Pick<ClaimedDestination, 'key'>[],
): Drop[] | null {
  const keys = new Set(destinations.map(({ key }) => key));
  const left = drops.filter(({ destinationKey }) => !keys.has(destinationKey));
  return left.length < drops.length ? left : null;
}
