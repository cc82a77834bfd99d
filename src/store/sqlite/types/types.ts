import type { Database, Statement } from 'better-sqlite3';
import type { Learned, StoredType } from '../../contract/types.ts';
import { EVENT_TYPE, storedName } from '../../shared/types/type-rows.ts';
import type { Writer } from '../files/writer.ts';
import type { Writes } from '../reader-thread/reads.ts';
import { SavedTypes } from './saved-types.ts';

export class SqliteTypes implements Writes<'types'> {
  readonly #writer: Writer;
  readonly #saved: SavedTypes;
  readonly #find: Statement<[number, string], StoredType>;

  constructor(db: Database, writer: Writer) {
    this.#writer = writer;
    this.#saved = new SavedTypes(db);
    this.#find = db.prepare(`
      SELECT ${EVENT_TYPE.read('t')} FROM event_types t
      JOIN endpoints p ON p.key = t.endpoint_key AND p.deleted_at IS NULL
      WHERE t.endpoint_key = ? AND t.type = ?`);
  }

  async find(endpointKey: number, type: string): Promise<StoredType | null> {
    return this.#find.get(endpointKey, storedName(type)) ?? null;
  }

  async learnedTo(): Promise<number> {
    return this.#saved.cursor();
  }

  save(learned: Learned, mostTypes: number): Promise<boolean> {
    return this.#writer.write(() => this.#saved.save(learned, mostTypes));
  }

  relearn(): Promise<void> {
    return this.#writer.write(() => this.#saved.forgetAll());
  }
}
