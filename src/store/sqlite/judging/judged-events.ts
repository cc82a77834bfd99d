import type { Database } from 'better-sqlite3';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import type { RuleTrialInput, TriedEvent } from '../../contract/events.ts';
import type { EventClass } from '../../contract/live.ts';
import { type JudgedEvents, ReplayRules } from '../../shared/judging/replay-rules.ts';
import { eventTypeOf, RequestRules } from '../../shared/judging/request-rules.ts';
import { eachContent } from './contents.ts';
import { ruledRequest } from './ruled-row.ts';

/** See `LiveStore.classify`. */
export function* classifyRows(
  db: Database,
  seqs: readonly number[],
  where: RuleSource | null,
): Generator<void, EventClass[]> {
  const rules = new RequestRules([where]);
  const looks: EventClass[] = [];
  yield* eachContent(db, seqs, (row) => {
    const request = ruledRequest(row);
    const [fits = true] = rules.judge(request).fits;
    looks.push({ seq: row.seq, eventType: eventTypeOf(request), fits });
  });
  return looks;
}

/** See `ReplayReads.judge`. */
export function* judgeForReplay(
  db: Database,
  seqs: readonly number[],
  sources: readonly DestinationFilter[],
  forMs: number,
): Generator<void, JudgedEvents> {
  const end = performance.now() + forMs;
  const rules = new ReplayRules(sources);
  const verdicts: JudgedEvents['verdicts'] = [];
  let isCut = false;
  const isOver = () => {
    isCut ||= verdicts.length > 0 && performance.now() >= end;
    return isCut;
  };
  yield* eachContent(
    db,
    seqs,
    (row) => {
      if (!isOver()) verdicts.push({ seq: row.seq, ...rules.judge(ruledRequest(row)) });
    },
    isOver,
  );
  return { verdicts, resumeAfter: isCut ? (verdicts.at(-1)?.seq ?? null) : null };
}

/** See `EventStore.tryRules`. */
export function* tryRules(
  db: Database,
  endpointKey: number,
  { rules: sources, events, deadlineMs }: RuleTrialInput,
): Generator<void, TriedEvent[]> {
  const end = performance.now() + deadlineMs;
  const seqs =
    'last' in events ? newest(db, endpointKey, events.last) : chosen(db, endpointKey, events.ids);
  const rules = new RequestRules(sources);
  const tried: TriedEvent[] = [];
  const isOver = () => performance.now() >= end;
  yield* eachContent(
    db,
    seqs,
    (row) => {
      if (!isOver()) tried.push({ id: row.id, ...rules.judge(ruledRequest(row)) });
    },
    isOver,
  );
  return tried;
}

function newest(db: Database, endpointKey: number, count: number): number[] {
  return db
    .prepare<unknown[], number>(
      'SELECT seq FROM events WHERE endpoint_key = ? ORDER BY seq DESC LIMIT ?',
    )
    .pluck()
    .all(endpointKey, count);
}

function chosen(db: Database, endpointKey: number, ids: readonly string[]): number[] {
  return db
    .prepare<unknown[], number>(`
      SELECT DISTINCT e.seq FROM json_each(?) j CROSS JOIN events e ON e.id = j.value
      WHERE e.endpoint_key = ? ORDER BY e.seq DESC`)
    .pluck()
    .all(JSON.stringify(ids), endpointKey);
}
