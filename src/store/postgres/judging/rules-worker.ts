import type { RuledRequest } from '../../../core/rules/request-parts.ts';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import { serveJobs } from '../../../core/threads/serve-jobs.ts';
import { stateOf } from '../../shared/events/stored-proof.ts';
import { ReplayRules, type ReplayVerdict } from '../../shared/judging/replay-rules.ts';
import {
  eventTypeOf,
  RequestRules,
  type RequestVerdict,
} from '../../shared/judging/request-rules.ts';
import { foldedTest } from '../../shared/search/folded-text.ts';
import { decodedIncludes } from '../../shared/search/search-text.ts';
import type { RuledRow } from './contents.ts';

export interface RulesRequest {
  rows: readonly RuledRow[];
  question:
    | {
        kind: 'match';
        q: string | undefined;
        where: RuleSource | null;
        type: string | null;
        /**
         * The text that the body must contain, in upper or lower case. Null without such a
         * condition.
         */
        folded: string | null;
      }
    | { kind: 'look'; where: RuleSource | null }
    | { kind: 'try'; rules: readonly (RuleSource | null)[] }
    | { kind: 'replay'; rules: readonly DestinationFilter[] };
  /** The time after which no further request is judged, ms. The default is no limit. */
  forMs?: number;
}

export interface RulesAnswer {
  verdicts: RowVerdict[];
  looked: number;
  /** The request that takes too many steps to judge, or null. The verdicts end before it. */
  tooCostly: { seq: number; id: string } | null;
}

/** The verdict on one request. Requests that don't match or weren't judged have none. */
export interface RowVerdict extends RequestVerdict {
  seq: number;
  id: string;
  eventType: string | null;
  /** Null unless the question is about a replay. */
  replay: ReplayVerdict | null;
}

/** Runs in the judging thread: parses the bodies of requests and judges them by rules. */
serveJobs(({ rows, question, forMs = Infinity }: RulesRequest): RulesAnswer => {
  const verdictOf = judgeOf(question);
  const verdicts: RowVerdict[] = [];
  const end = performance.now() + forMs;
  let looked = 0;
  for (const row of rows) {
    if (performance.now() >= end && looked > 0) break;
    const verdict = verdictOf(row, requestOf(row));
    if (verdict === 'too costly') {
      return { verdicts, looked, tooCostly: { seq: row.seq, id: row.id } };
    }
    if (verdict) verdicts.push(verdict);
    looked++;
  }
  return { verdicts, looked, tooCostly: null };
});

/**
 * Returns a function that judges one request. That function returns null if the request doesn't
 * match.
 */
function judgeOf(
  question: RulesRequest['question'],
): (row: RuledRow, request: RuledRequest) => RowVerdict | 'too costly' | null {
  const none = { eventType: null, replay: null, fits: [], mismatches: [], isTooCostly: false };
  if (question.kind === 'replay') {
    const rules = new ReplayRules(question.rules);
    return ({ seq, id }, request) => ({ ...none, seq, id, replay: rules.judge(request) });
  }
  const rules = new RequestRules(question.kind === 'try' ? question.rules : [question.where]);
  if (question.kind === 'match') {
    const { q, type, folded } = question;
    const holdsText = folded === null ? () => true : foldedTest(folded);
    return ({ seq, id }, request) => {
      if (!contains(request, q) || !holdsText(request.body)) return null;
      const fits = rules.fits(request, type);
      if (fits === null) return 'too costly';
      return fits ? { ...none, seq, id } : null;
    };
  }
  const namesType = question.kind === 'look';
  return ({ seq, id }, request) => ({
    ...{ ...none, seq, id, ...rules.judge(request) },
    ...(namesType && { eventType: eventTypeOf(request) }),
  });
}

/**
 * Returns the request in the form that rules read. Parses the headers only when a rule reads them.
 * Makes the body a `Buffer` again, because another thread receives it as a plain byte array.
 */
function requestOf({ headers, body: bytes, verification, ...row }: RuledRow): RuledRequest {
  return {
    ...row,
    verification: stateOf(verification),
    get rawHeaders() {
      return JSON.parse(headers) as string[];
    },
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
}

function contains({ body }: RuledRequest, q: string | undefined): boolean {
  return q === undefined || body.includes(q) || decodedIncludes(body, q);
}
