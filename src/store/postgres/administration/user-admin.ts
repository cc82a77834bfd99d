import type { Plan, User } from '../../../core/model.ts';
import type { UserAdmin, UserOverview } from '../../contract/admin-store.ts';
import { OPERATOR_TERMS, operatorEntry } from '../../shared/accounts/audit-rows.ts';
import { IS_PERSON, PostgresAccounts } from '../accounts/accounts.ts';
import { addEntry } from '../accounts/audit.ts';
import type { Database } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';

/** Reads and changes accounts beside running nodes. */
export class PostgresUserAdmin implements UserAdmin {
  readonly #open: (options?: { make: boolean }) => Promise<Database>;

  constructor(open: (options?: { make: boolean }) => Promise<Database>) {
    this.#open = open;
  }

  async list(): Promise<UserOverview[]> {
    const db = await this.#open();
    return db.rows<UserOverview>(`
      SELECT u.id, u.email, u.plan, u.created_at AS "createdAt",
        (SELECT count(*) FROM endpoints p WHERE p.user_id = u.id AND p.deleted_at IS NULL)
          AS endpoints,
        (SELECT coalesce(sum(c.count), 0)::bigint FROM endpoints p
          JOIN event_counts c ON c.endpoint_key = p.key
          WHERE p.user_id = u.id AND p.deleted_at IS NULL) AS events,
        (SELECT max(at) FROM (
          SELECT last_used_at AS at FROM sessions s WHERE s.user_id = u.id
          UNION ALL SELECT last_used_at FROM api_tokens t WHERE t.user_id = u.id) uses)
          AS "lastSeenAt"
      FROM users u WHERE ${IS_PERSON} ORDER BY u.id`);
  }

  async create(user: User & { passwordHash: string; createdAt: number }): Promise<void> {
    await new PostgresAccounts(await this.#open({ make: true })).createUser(user);
  }

  async setPlan(email: string, plan: Plan, now: number): Promise<boolean> {
    const db = await this.#open();
    return db.transaction(async (sql) => {
      const [user] = await sql.rows<User>(
        `SELECT id, email, plan FROM users WHERE email = $1 AND ${IS_PERSON} FOR NO KEY UPDATE`,
        [storable(email)],
      );
      if (!user) return false;
      await sql.run('UPDATE users SET plan = $1 WHERE id = $2', [plan, user.id]);
      const changes = { plan: [user.plan, plan] as [Plan, Plan] };
      await addEntry(sql, operatorEntry('account.plan', user, now, changes), OPERATOR_TERMS);
      return true;
    });
  }

  async setPassword(
    email: string,
    passwordHash: string,
    now: number,
  ): Promise<{ sessionsEnded: number; apiTokens: number } | null> {
    const db = await this.#open();
    return db.transaction(async (sql) => {
      const [user] = await sql.rows<{ id: string }>(
        `UPDATE users SET password_hash = $1 WHERE email = $2 AND ${IS_PERSON} RETURNING id`,
        [passwordHash, storable(email)],
      );
      if (!user) return null;
      const entry = operatorEntry('auth.password_reset', { id: user.id, email }, now);
      await addEntry(sql, entry, OPERATOR_TERMS);
      const sessionsEnded = await sql.run('DELETE FROM sessions WHERE user_id = $1', [user.id]);
      const [tokens] = await sql.rows<{ count: number }>(
        'SELECT count(*) AS count FROM api_tokens WHERE user_id = $1',
        [user.id],
      );
      return { sessionsEnded, apiTokens: tokens?.count ?? 0 };
    });
  }
}
