import { EVERYTHING } from '../../../core/judging/order.ts';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DroppedBy, OrderKey } from '../../../core/rules/verdict.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';
import type { ReplayVerdict } from '../judging/replay-rules.ts';

/** A destination of the endpoint to which events may be replayed. */
export interface ReplayDestination extends ClaimedDestination {
  id: string;
  createdAt: number;
  ruleVersion: number;
  filter: RuleSource | null;
  orderBy: string | null;
}

/**
 * To which destinations an event is replayed.
 *
 * - `all`: the destinations whose filter didn't drop the event. The new round replaces all earlier
 *   ones. If a destination is newer than the event, its present filter judges now. If the event
 *   couldn't be judged at its capture, the present filters of all destinations judge now.
 * - `some`: like `all`, but the round replaces only earlier deliveries to these destinations.
 * - `named`: all of these destinations. Their filters don't count.
 * - `filtered`: the destinations whose filter dropped the event at its capture, and whose present
 *   filter lets it pass.
 */
export type ReplayMode = 'all' | 'some' | 'named' | 'filtered';

/** Returns the destinations that get the event. */
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

/** Returns the drops that stay when these destinations get the event, or null if all stay. */
export function dropsLeft<Drop extends DroppedBy>(
  drops: readonly Drop[],
  destinations: readonly Pick<ClaimedDestination, 'key'>[],
): Drop[] | null {
  const keys = new Set(destinations.map(({ key }) => key));
  const left = drops.filter(({ destinationKey }) => !keys.has(destinationKey));
  return left.length < drops.length ? left : null;
}
