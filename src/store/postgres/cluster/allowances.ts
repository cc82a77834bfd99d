import type { AllowanceStore, AllowanceUse } from '../../contract/accounts.ts';
import type { Database } from '../connection/database.ts';

/** Counts uses across all nodes. Otherwise three nodes would allow three times as many. */
export class PostgresAllowances implements AllowanceStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async read(key: string, now: number): Promise<AllowanceUse | null> {
    const [row] = await this.#db.rows<AllowanceUse>(
      'SELECT used, expires_at AS "expiresAt" FROM allowances WHERE key = $1 AND expires_at > $2',
      [key, now],
    );
    return row ?? null;
  }

  async add(key: string, points: number, windowMs: number, now: number): Promise<AllowanceUse> {
    const [row] = await this.#db.rows<AllowanceUse>(
      `INSERT INTO allowances (key, used, expires_at) VALUES ($1, greatest($2, 0), $3)
       ON CONFLICT (key) DO UPDATE SET
         used = CASE WHEN allowances.expires_at > $4
           THEN greatest(allowances.used + $2, 0) ELSE excluded.used END,
         expires_at = CASE WHEN allowances.expires_at > $4
           THEN allowances.expires_at ELSE excluded.expires_at END
       RETURNING used, expires_at AS "expiresAt"`,
      [key, points, now + windowMs, now],
    );
    return row as AllowanceUse;
  }

  async clear(key: string): Promise<void> {
    await this.#db.run('DELETE FROM allowances WHERE key = $1', [key]);
  }
}
