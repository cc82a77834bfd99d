import type { LearnedType, StoredType, TypeRef } from '../../contract/types.ts';
import { EVENT_TYPE, LEARNED_TYPE, named, storedName } from '../../shared/types/type-rows.ts';
import type { Sql } from '../connection/database.ts';

const OF_ENDPOINT = `event_types t
  JOIN endpoints p ON p.key = t.endpoint_key AND p.deleted_at IS NULL
  WHERE t.endpoint_key = $1`;

const TYPE_PAGE = `SELECT ${LEARNED_TYPE.read('t')} FROM ${OF_ENDPOINT}
  ORDER BY t.last_at DESC, t.key DESC LIMIT $2 OFFSET $3`;

const REF = EVENT_TYPE.only('endpointKey', 'type').and({ place: 'integer' });

/** Selects types by name, in the order of the given names. */
const TYPES_BY_NAMES = `SELECT ${EVENT_TYPE.read('t')}, n.place
  FROM ${REF.unnest('n')}
  JOIN event_types t ON t.endpoint_key = n.endpoint_key AND t.type = n.type
  ORDER BY n.place`;

const TYPES_AFTER = `SELECT ${EVENT_TYPE.read('t')} FROM event_types t
  WHERE t.key > $1 ORDER BY t.key LIMIT $2`;

const GONE_EVENTS = `SELECT s.seq FROM unnest($1::bigint[]) AS s(seq)
  WHERE NOT EXISTS (SELECT 1 FROM event_contents c WHERE c.seq = s.seq)`;

/** See `TypeStore.list`. */
export async function listTypes(
  sql: Sql,
  endpointKey: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ types: LearnedType[]; total: number }> {
  const [counted] = await sql.rows<{ total: number }>(
    `SELECT count(*) AS total FROM ${OF_ENDPOINT}`,
    [endpointKey],
  );
  const types = await sql.rows<LearnedType>(TYPE_PAGE, [endpointKey, limit, offset]);
  return { types, total: counted?.total ?? 0 };
}

/** See `TypeStore.find`. */
export async function findType(
  sql: Sql,
  endpointKey: number,
  type: string,
): Promise<StoredType | null> {
  const [row] = await sql.rows<StoredType>(
    `SELECT ${EVENT_TYPE.read('t')} FROM ${OF_ENDPOINT} AND t.type = $2`,
    [endpointKey, storedName(type)],
  );
  return row ?? null;
}

/** See `TypeStore.findMany`. */
export async function findTypes(sql: Sql, refs: readonly TypeRef[]): Promise<StoredType[]> {
  if (refs.length === 0) return [];
  const rows = await sql.rows<StoredType & { place: number }>(
    TYPES_BY_NAMES,
    REF.arrays(refs.map((ref, place) => named({ ...ref, place }))),
    'types by names',
  );
  return rows.map(({ place, ...row }) => ({ ...row, type: refs[place]?.type ?? row.type }));
}

/** See `TypeStore.after`. */
export function typesAfter(sql: Sql, afterKey: number, limit: number): Promise<StoredType[]> {
  return sql.rows(TYPES_AFTER, [afterKey, limit], 'types after');
}

/** See `TypeStore.gone`. */
export async function goneEvents(sql: Sql, seqs: readonly number[]): Promise<Set<number>> {
  if (seqs.length === 0) return new Set();
  const rows = await sql.rows<{ seq: number }>(GONE_EVENTS, [seqs], 'gone events');
  return new Set(rows.map(({ seq }) => seq));
}
