import type { Database, Statement } from 'better-sqlite3';
import type { Learned, StoredType, TypeStore } from '../../../contract/types.ts';
import { EVENT_TYPE, storedName } from '../../../shared/types/type-rows.ts';
import type { Reader } from '../../reading/reader.ts';
import type { TypeReads } from '../../reading/types/type-reads.ts';
import type { Writer } from '../writer.ts';
import { SavedTypes } from './saved-types.ts';

/** Reads that scan, or return many shapes, run in the reader's thread. */
export class SqliteTypes implements TypeStore {
  readonly #writer: Writer;
  readonly #reader: Reader;
  readonly #saved: SavedTypes;
  readonly #find: Statement<[number, string], StoredType>;

  constructor(db: Database, writer: Writer, reader: Reader) {
    this.#writer = writer;
    this.#reader = reader;
    this.#saved = new SavedTypes(db);
    this.#find = db.prepare(`
      SELECT ${EVENT_TYPE.read('t')} FROM event_types t
      JOIN endpoints p ON p.key = t.endpoint_key AND p.deleted_at IS NULL
      WHERE t.endpoint_key = ? AND t.type = ?`);
  }

  list(...args: Parameters<TypeReads['list']>): ReturnType<TypeReads['list']> {
    return this.#reader.types('list', ...args);
  }

  async find(endpointKey: number, type: string): Promise<StoredType | null> {
    return this.#find.get(endpointKey, storedName(type)) ?? null;
  }

  findMany(...args: Parameters<TypeReads['findMany']>): ReturnType<TypeReads['findMany']> {
    return this.#reader.types('findMany', ...args);
  }

  async learnedTo(): Promise<number> {
    return this.#saved.cursor();
  }

  toLearn(...args: Parameters<TypeReads['toLearn']>): ReturnType<TypeReads['toLearn']> {
    return this.#reader.types('toLearn', ...args);
  }

  save(learned: Learned, mostTypes: number): Promise<boolean> {
    return this.#writer.write(() => this.#saved.save(learned, mostTypes));
  }

  after(...args: Parameters<TypeReads['after']>): ReturnType<TypeReads['after']> {
    return this.#reader.types('after', ...args);
  }

  gone(...args: Parameters<TypeReads['gone']>): ReturnType<TypeReads['gone']> {
    return this.#reader.types('gone', ...args);
  }

  relearn(): Promise<void> {
    return this.#writer.write(() => this.#saved.forgetAll());
  }
}
