import type { Sql } from '../../connection/database.ts';

/** How many of an endpoint's newest events show its provider. */
const LOOKED_AT = 20;

export const GUESSES = `
  SELECT k.key, mode() WITHIN GROUP (ORDER BY n.provider) AS provider
  FROM unnest($1::bigint[]) AS k(key) CROSS JOIN LATERAL (
    SELECT e.provider FROM events e
    WHERE e.endpoint_key = k.key ORDER BY e.seq DESC LIMIT ${LOOKED_AT}) n
  WHERE n.provider IS NOT NULL
  GROUP BY k.key`;

/** See `EndpointStore.guesses`. */
export async function guessesOf(sql: Sql, keys: readonly number[]): Promise<Map<number, string>> {
  if (keys.length === 0) return new Map();
  const rows = await sql.rows<{ key: number; provider: string }>(GUESSES, [keys]);
  return new Map(rows.map(({ key, provider }) => [key, provider]));
}
