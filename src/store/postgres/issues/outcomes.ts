import { OUTCOMES } from '../../../core/issues/issue.ts';
import { VERIFICATION_STATE, type VerificationState } from '../../../core/proof/verification.ts';
import type { SourceOutcomes } from '../../contract/issues.ts';
import type { Sql } from '../connection/database.ts';

interface OutcomeRow {
  endpointKey: number;
  userId: string;
  /** Null if the endpoint has no outcomes. This is then its only row. */
  at: number | null;
  passed: boolean;
  eventId: string | null;
  /**
   * The number of outcomes read that passed. If more passed than are shown, an earlier one passed
   * too.
   */
  passes: number;
}

/** Selects one outcome more than is shown, to find out whether an earlier event passed. */
const newestOf = (state: VerificationState) => `
  (SELECT received_at AS at, seq, ${state !== 'failed'} AS passed, id
   FROM events WHERE endpoint_key = p.key AND verification = ${VERIFICATION_STATE.code(state)}
   ORDER BY seq DESC LIMIT ${OUTCOMES + 1})`;

/**
 * Selects the next $2 endpoints after $1 that have a source. Each has its newest outcomes, newest
 * first.
 */
export const OUTCOMES_OF = `
  SELECT p.key AS "endpointKey", p.user_id AS "userId", o.at, o.passed, o.id AS "eventId", o.passes
  FROM (
    SELECT key, user_id FROM endpoints
    WHERE key > $1 AND source IS NOT NULL AND deleted_at IS NULL ORDER BY key LIMIT $2) p
  LEFT JOIN LATERAL (
    SELECT n.*, count(*) FILTER (WHERE passed) OVER () AS passes,
      row_number() OVER (ORDER BY at DESC, seq DESC) AS place
    FROM (
      ${newestOf('verified')} UNION ALL ${newestOf('authenticated')} UNION ALL
      ${newestOf('failed')} UNION ALL
      (SELECT received_at, seq, false, NULL FROM rejected_requests WHERE endpoint_key = p.key
       ORDER BY received_at DESC, seq DESC LIMIT ${OUTCOMES})) n) o ON o.place <= ${OUTCOMES}
  ORDER BY p.key, o.place`;

/** See `IssueStore.outcomes`. */
export async function readOutcomes(
  sql: Sql,
  afterKey: number,
  limit: number,
): Promise<SourceOutcomes[]> {
  const rows = await sql.rows<OutcomeRow>(OUTCOMES_OF, [afterKey, limit], 'outcomes');
  return [...Map.groupBy(rows, (row) => row.endpointKey)].map(([endpointKey, own]) => {
    const outcomes = own.flatMap(({ at, passed, eventId }) =>
      at === null ? [] : [{ at, passed, eventId }],
    );
    const shown = outcomes.filter(({ passed }) => passed).length;
    const { userId, passes } = own[0] as OutcomeRow;
    return { endpointKey, userId, outcomes, passedBefore: passes > shown };
  });
}
