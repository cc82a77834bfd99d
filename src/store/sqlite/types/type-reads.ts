import type { Database } from 'better-sqlite3';
import type { LearnedType, StoredType, TypeRef, TypeStore } from '../../contract/types.ts';
import { EVENT_TYPE, LEARNED_TYPE, storedName } from '../../shared/types/type-rows.ts';

/** How many types with shapes are read between two yields. A shape has up to 64 KiB. */
const SLICE_TYPES = 32;
/** How many events are read between two yields. */
const SLICE_SEQS = 1000;

export function listTypes(
  db: Database,
  endpointKey: number,
  { offset, limit }: Parameters<TypeStore['list']>[1],
): { types: LearnedType[]; total: number } {
  const total = db
    .prepare<[number], number>('SELECT count(*) FROM event_types WHERE endpoint_key = ?')
    .pluck()
    .get(endpointKey) as number;
  const types = db
    .prepare<[number, number, number], LearnedType>(`
      SELECT ${LEARNED_TYPE.read('t')} FROM event_types t WHERE t.endpoint_key = ?
      ORDER BY t.last_at DESC, t.key DESC LIMIT ? OFFSET ?`)
    .all(endpointKey, limit, offset);
  return { types, total };
}

export function* findTypes(db: Database, refs: readonly TypeRef[]): Generator<void, StoredType[]> {
  const find = db.prepare<[number, string], StoredType>(
    `SELECT ${EVENT_TYPE.read('t')} FROM event_types t WHERE t.endpoint_key = ? AND t.type = ?`,
  );
  const found: StoredType[] = [];
  for (const [i, { endpointKey, type }] of refs.entries()) {
    if (i > 0 && i % SLICE_TYPES === 0) yield;
    const row = find.get(endpointKey, storedName(type));
    if (row) found.push({ ...row, type });
  }
  return found;
}

export function* typesAfter(
  db: Database,
  afterKey: number,
  limit: number,
): Generator<void, StoredType[]> {
  const page = db.prepare<[number, number], StoredType>(
    `SELECT ${EVENT_TYPE.read('t')} FROM event_types t WHERE t.key > ? ORDER BY t.key LIMIT ?`,
  );
  const types: StoredType[] = [];
  for (;;) {
    const rows = page.all(
      types.at(-1)?.key ?? afterKey,
      Math.min(SLICE_TYPES, limit - types.length),
    );
    types.push(...rows);
    if (rows.length < SLICE_TYPES || types.length === limit) return types;
    yield;
  }
}

export function* goneEvents(db: Database, seqs: readonly number[]): Generator<void, Set<number>> {
  const gone = db
    .prepare<[string], number>(`
      SELECT value FROM json_each(?)
      WHERE NOT EXISTS (SELECT 1 FROM event_contents c WHERE c.seq = value)`)
    .pluck();
  const found = new Set<number>();
  for (let i = 0; i < seqs.length; i += SLICE_SEQS) {
    if (i > 0) yield;
    for (const seq of gone.all(JSON.stringify(seqs.slice(i, i + SLICE_SEQS)))) found.add(seq);
  }
  return found;
}
