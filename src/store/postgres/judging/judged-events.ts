import type { EventSummary } from '../../../core/model.ts';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import type { RuleTrialInput, TriedEvent } from '../../contract/events.ts';
import type { EventClass } from '../../contract/live.ts';
import type { JudgedEvents } from '../../shared/judging/replay-rules.ts';
import { mayHaveTypeInBody } from '../../shared/judging/request-rules.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';
import { batchesOf } from './contents.ts';
import type { EventJudge } from './event-judge.ts';

interface SizedEvent {
  seq: number;
  /** The body size, bytes. */
  size: number;
}

/**
 * Adds types that only the bodies name. They aren't stored, because captures don't parse bodies.
 */
export async function withTypes(
  sql: Sql,
  judge: EventJudge,
  events: EventSummary[],
): Promise<EventSummary[]> {
  const untyped = events.filter(mayHaveTypeInBody);
  if (untyped.length === 0) return events;
  const types = new Map<number, string | null>();
  for await (const { rows } of batchesOf(sql, [untyped])) {
    for (const { seq, eventType } of await judge.classify(null, rows)) types.set(seq, eventType);
  }
  return events.map((event) => ({ ...event, eventType: types.get(event.seq) ?? event.eventType }));
}

/** See `LiveStore.classify`. */
export async function classifyRows(
  sql: Sql,
  judge: EventJudge,
  seqs: readonly number[],
  where: RuleSource | null,
): Promise<EventClass[]> {
  const sized = await sql.rows<SizedEvent>(SIZES, [seqs]);
  const looks: EventClass[] = [];
  for await (const { rows } of batchesOf(sql, [sized])) {
    for (const { seq, eventType, fits } of await judge.classify(where, rows)) {
      looks.push({ seq, eventType, fits: fits[0] ?? false });
    }
  }
  return looks;
}

/** Judges events for a replay, in order. Stops after `forMs` ms, but judges at least one batch. */
export async function judgeForReplay(
  sql: Sql,
  judge: EventJudge,
  { seqs, rules, forMs }: ReplayedEvents,
): Promise<JudgedEvents> {
  const end = performance.now() + forMs;
  const sized = await sql.rows<SizedEvent>(SIZES, [seqs]);
  const verdicts: JudgedEvents['verdicts'] = [];
  for await (const { events, rows } of batchesOf(sql, [sized])) {
    verdicts.push(...(await judge.judge(rules, rows)));
    const last = events.at(-1)?.seq ?? null;
    if (performance.now() >= end) {
      return { verdicts, resumeAfter: last === sized.at(-1)?.seq ? null : last };
    }
  }
  return { verdicts, resumeAfter: null };
}

interface ReplayedEvents {
  seqs: readonly number[];
  rules: readonly DestinationFilter[];
  forMs: number;
}

export const SIZES = `
  SELECT e.seq, e.size FROM unnest($1::bigint[]) WITH ORDINALITY AS k(seq, place)
  JOIN event_contents c ON c.seq = k.seq
  JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq
  ORDER BY k.place`;

/** See `EventStore.tryRules`. */
export async function tryRules(
  sql: Sql,
  judge: EventJudge,
  endpointKey: number,
  { rules, events, deadlineMs }: RuleTrialInput,
  signal: AbortSignal | undefined,
): Promise<TriedEvent[]> {
  const end = performance.now() + deadlineMs;
  const chosen =
    'last' in events
      ? await sql.rows<SizedEvent>(NEWEST, [endpointKey, events.last])
      : await sql.rows<SizedEvent>(CHOSEN, [endpointKey, events.ids.map(storable)]);
  const tried: TriedEvent[] = [];
  if (performance.now() >= end) return tried;
  for await (const { rows } of batchesOf(sql, [chosen])) {
    signal?.throwIfAborted();
    const verdicts = await judge.try(rules, rows, end - performance.now());
    for (const { id, fits, mismatches, isTooCostly } of verdicts) {
      tried.push({ id, fits, mismatches, isTooCostly });
    }
    if (performance.now() >= end) break;
  }
  return tried;
}

export const NEWEST = `
  SELECT e.seq, e.size FROM events e WHERE e.endpoint_key = $1 ORDER BY e.seq DESC LIMIT $2`;

export const CHOSEN = `
  SELECT e.seq, e.size FROM events e WHERE e.endpoint_key = $1 AND e.id = ANY($2)
  ORDER BY e.seq DESC`;
