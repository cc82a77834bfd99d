import type { Database } from 'better-sqlite3';
import type {
  EventsToLearn,
  LearnedType,
  StoredType,
  TypeRef,
  TypeStore,
} from '../../../contract/types.ts';
import { EVENT_TYPE, LEARNED_TYPE, storedName } from '../../../shared/types/type-rows.ts';
import { joinedMemory } from '../../thread/joined-bodies.ts';
import { eventsToLearn } from './events-to-learn.ts';

/** What is read of types in the reader's thread. */
export type TypeReads = Pick<TypeStore, 'list' | 'findMany' | 'toLearn' | 'after' | 'gone'>;

/** One such read. */
export type TypeRead = {
  [Method in keyof TypeReads]: { method: Method; args: Parameters<TypeReads[Method]> };
}[keyof TypeReads];

/** Types with shapes between two yields: a shape has at most 64 KiB. */
const SLICE_TYPES = 32;
/** Numbers of events between two yields. */
const SLICE_SEQS = 1000;

export function* readTypes(db: Database, read: TypeRead): Generator<void, unknown> {
  switch (read.method) {
    case 'list':
      return listTypes(db, ...read.args);
    case 'findMany':
      return yield* findTypes(db, ...read.args);
    case 'toLearn':
      return yield* eventsToLearn(db, ...read.args);
    case 'after':
      return yield* typesAfter(db, ...read.args);
    case 'gone':
      return yield* goneEvents(db, ...read.args);
  }
}

/** Memory of a read's answer that goes to another thread without a copy. */
export function memoryOfRead({ method }: TypeRead, answer: unknown): ArrayBuffer[] {
  return method === 'toLearn' ? joinedMemory((answer as EventsToLearn).events) : [];
}

export function listTypes(
  db: Database,
  endpointKey: number,
  { offset, limit }: Parameters<TypeStore['list']>[1],
): { types: LearnedType[]; total: number } {
  const present =
    'EXISTS (SELECT 1 FROM endpoints WHERE key = @endpointKey AND deleted_at IS NULL)';
  const total = db
    .prepare<[{ endpointKey: number }], number>(
      `SELECT count(*) FROM event_types WHERE endpoint_key = @endpointKey AND ${present}`,
    )
    .pluck()
    .get({ endpointKey }) as number;
  const types = db
    .prepare<[{ endpointKey: number; offset: number; limit: number }], LearnedType>(`
      SELECT ${LEARNED_TYPE.read('t')} FROM event_types t
      WHERE t.endpoint_key = @endpointKey AND ${present}
      ORDER BY t.last_at DESC, t.key DESC LIMIT @limit OFFSET @offset`)
    .all({ endpointKey, offset, limit });
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
