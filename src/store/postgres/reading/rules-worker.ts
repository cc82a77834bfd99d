import type { RuledRequest } from '../../../core/rules/request-parts.ts';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import { foldedTest } from '../../../core/search/folded-text.ts';
import { decodedIncludes } from '../../../core/search/search-text.ts';
import { serveJobs } from '../../../core/threads/serve-jobs.ts';
import { stateOf } from '../../shared/proof/stored-proof.ts';
import { ReplayRules, type ReplayVerdict } from '../../shared/replays/replay-rules.ts';
import { eventTypeOf, RequestRules, type RequestVerdict } from '../../shared/request-rules.ts';
import type { RuledRow } from './contents.ts';

/** A question about a batch of stored requests. */
export interface RulesRequest {
  rows: readonly RuledRow[];
  question:
    | {
        kind: 'match';
        q: string | undefined;
        where: RuleSource | null;
        type: string | null;
        /** Text that the body must contain, in any case. */
        folded: string | null;
      }
    | { kind: 'look'; where: RuleSource | null }
    /** @param forMs time after which no further request is tried, ms */
    | { kind: 'try'; rules: readonly (RuleSource | null)[]; forMs: number }
    | { kind: 'replay'; rules: readonly DestinationFilter[] };
}

/** What the rules say of a request. Requests that don't match, or weren't tried, are left out. */
export interface RowVerdict extends RequestVerdict {
  seq: number;
  id: string;
  eventType: string | null;
  /** Null unless that is the question. */
  replay: ReplayVerdict | null;
}

/** The thread that judges stored requests by rules: it parses their bodies. */
serveJobs(({ rows, question }: RulesRequest): RowVerdict[] => {
  const verdicts: RowVerdict[] = [];
  const none = { eventType: null, replay: null, fits: [], mismatches: [], isTooCostly: false };
  if (question.kind === 'replay') {
    const rules = new ReplayRules(question.rules);
    return rows.map((row) => {
      const { seq, id } = row;
      return { ...none, seq, id, replay: rules.judge(requestOf(row)) };
    });
  }
  const rules = new RequestRules(question.kind === 'try' ? question.rules : [question.where]);
  const holdsText =
    question.kind === 'match' && question.folded !== null
      ? foldedTest(question.folded)
      : () => true;
  const end = question.kind === 'try' ? performance.now() + question.forMs : 0;
  for (const row of rows) {
    const request = requestOf(row);
    const { seq, id } = row;
    const verdict = { ...none, seq, id };
    switch (question.kind) {
      case 'match':
        if (!contains(request, question.q) || !holdsText(request.body)) continue;
        if (!rules.fits(request, question.type)) continue;
        verdicts.push(verdict);
        break;
      case 'look':
        verdicts.push({ ...verdict, ...rules.judge(request), eventType: eventTypeOf(request) });
        break;
      case 'try':
        if (performance.now() >= end) return verdicts;
        verdicts.push({ ...verdict, ...rules.judge(request) });
    }
  }
  return verdicts;
});

/** Headers are parsed when a rule asks. A cloned buffer arrives as a plain byte array. */
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
