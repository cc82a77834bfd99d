import { EVERYTHING } from '../../../core/judging/order.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import type { JudgedEvents, ReplayVerdict } from '../judging/replay-rules.ts';
import type { ReplayDestination, ReplayMode } from './replayed-event.ts';

/** How events of one endpoint are replayed. */
interface ReplayPlan {
  mode: ReplayMode;
  destinations: readonly ReplayDestination[];
}

/** What an event's capture recorded about its verdict. */
interface JudgedBefore {
  seq: number;
  receivedAt: number;
  /** `events.unjudged`. */
  unjudged: number | null;
}

/** Events that must be judged before they can be replayed. */
export interface EventsToJudge {
  /** The endpoint's `settings_version`. */
  version: number;
  seqs: number[];
  rules: DestinationFilter[];
}

/** Verdicts by sequence number, without deleted events. */
export interface ReplayVerdicts {
  /** The endpoint's `settings_version`. */
  version: number;
  verdicts: ReadonlyMap<number, ReplayVerdict>;
}

export function replayVerdicts(version: number, { verdicts }: JudgedEvents): ReplayVerdicts {
  return { version, verdicts: new Map(verdicts.map((one) => [one.seq, one])) };
}

/** Returns what to judge before these events are replayed, or null if there is nothing to judge. */
export function eventsToJudge(
  { mode, destinations }: ReplayPlan,
  events: readonly JudgedBefore[],
  version: number,
): EventsToJudge | null {
  const rules = new Map<string, DestinationFilter>();
  const needed = events.filter((event) => {
    const asked = destinations.flatMap((one) => ruleFor(mode, one, event) ?? []);
    for (const rule of asked) {
      rules.set(`${rule.destinationKey}${rule.filter === null ? '' : ' with its filter'}`, rule);
    }
    return asked.length > 0;
  });
  if (needed.length === 0) return null;
  return { version, seqs: needed.map(({ seq }) => seq), rules: [...rules.values()] };
}

/**
 * Returns the verdict on one event. `judged` comes from the same rules for all events of a slice.
 * This leaves out a filter by which the event's capture has already judged.
 */
export function verdictOn(
  event: JudgedBefore,
  { mode, destinations }: ReplayPlan,
  judged: ReplayVerdicts | null,
): ReplayVerdict | undefined {
  const verdict = judged?.verdicts.get(event.seq);
  if (!verdict) return undefined;
  const judging = new Set(
    destinations.flatMap((one) => (ruleFor(mode, one, event)?.filter == null ? [] : [one.key])),
  );
  const dropped = verdict.dropped.filter((key) => judging.has(key));
  return { ...verdict, dropped, unjudged: judging.size > 0 ? verdict.unjudged : null };
}

/**
 * Returns the filter and the order by which to judge an event before its replay, or null if neither
 * is needed.
 */
function ruleFor(
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
