import { commonest, GUESSED_FROM } from '../../shared/endpoints/commonest.ts';
import type { Sql } from '../connection/database.ts';

/** Selects the providers of each endpoint's newest events, newest first. */
export const GUESSED = `
  SELECT p.key, n.provider FROM endpoints p CROSS JOIN LATERAL (
    SELECT e.provider, e.seq FROM events e
    WHERE e.endpoint_key = p.key ORDER BY e.seq DESC LIMIT ${GUESSED_FROM}) n
  WHERE p.key = ANY($1) AND p.deleted_at IS NULL
  ORDER BY n.seq DESC`;

/** See `EndpointStore.guesses`. */
export async function guessesOf(sql: Sql, keys: readonly number[]): Promise<Map<number, string>> {
  if (keys.length === 0) return new Map();
  const rows = await sql.rows<{ key: number; provider: string | null }>(GUESSED, [keys]);
  const guesses = new Map<number, string>();
  for (const [key, newest] of Map.groupBy(rows, (row) => row.key)) {
    const provider = commonest(newest.map((row) => row.provider));
    if (provider !== null) guesses.set(key, provider);
  }
  return guesses;
}
