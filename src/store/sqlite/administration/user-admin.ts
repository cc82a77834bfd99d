import type { Plan, User } from '../../../core/model.ts';
import type { UserAdmin, UserOverview } from '../../contract/admin-store.ts';
import { OPERATOR_TERMS, operatorEntry } from '../../shared/accounts/audit-rows.ts';
import { IS_PERSON, SqliteAccounts } from '../accounts/accounts.ts';
import { SqliteAudit } from '../accounts/audit.ts';
import type { AdminConnection } from './admin-connection.ts';

/** Runs an operation on the command's connection. With `make`, creates a missing database first. */
export type OnConnection = <T>(
  work: (connection: AdminConnection) => T | Promise<T>,
  options?: { make: boolean },
) => Promise<T>;

/** Reads and changes accounts beside a running server. Each change is one short transaction. */
export class SqliteUserAdmin implements UserAdmin {
  readonly #onConnection: OnConnection;

  constructor(onConnection: OnConnection) {
    this.#onConnection = onConnection;
  }

  list(): Promise<UserOverview[]> {
    return this.#onConnection(({ db }) =>
      db
        .prepare<[], UserOverview>(`
          SELECT u.id, u.email, u.plan, u.created_at AS createdAt,
            (SELECT count(*) FROM endpoints p WHERE p.user_id = u.id AND p.deleted_at IS NULL)
              AS endpoints,
            (SELECT coalesce(sum(c.count), 0) FROM endpoints p
              JOIN event_counts c ON c.endpoint_key = p.key
              WHERE p.user_id = u.id AND p.deleted_at IS NULL) AS events,
            (SELECT max(at) FROM (
              SELECT last_used_at AS at FROM sessions s WHERE s.user_id = u.id
              UNION ALL SELECT last_used_at FROM api_tokens t WHERE t.user_id = u.id)) AS lastSeenAt
          FROM users u WHERE ${IS_PERSON} ORDER BY u.id`)
        .all(),
    );
  }

  create(user: User & { passwordHash: string; createdAt: number }): Promise<void> {
    return this.#onConnection(({ db, writer }) => new SqliteAccounts(db, writer).createUser(user), {
      make: true,
    });
  }

  setPlan(email: string, plan: Plan, now: number): Promise<boolean> {
    return this.#onConnection(({ db, writer }) => {
      const find = db.prepare<[string], User>(
        `SELECT id, email, plan FROM users WHERE email = ? AND ${IS_PERSON}`,
      );
      const update = db.prepare('UPDATE users SET plan = ? WHERE id = ?');
      const audit = new SqliteAudit(db, writer);
      return writer.write(() => {
        const user = find.get(email);
        if (!user) return false;
        update.run(plan, user.id);
        const changes = { plan: [user.plan, plan] as [Plan, Plan] };
        audit.addNow(operatorEntry('account.plan', user, now, changes), OPERATOR_TERMS);
        return true;
      });
    });
  }

  setPassword(
    email: string,
    passwordHash: string,
    now: number,
  ): Promise<{ sessionsEnded: number; apiTokens: number } | null> {
    return this.#onConnection(({ db, writer }) => {
      const update = db
        .prepare<[string, string], string>(
          `UPDATE users SET password_hash = ? WHERE email = ? AND ${IS_PERSON} RETURNING id`,
        )
        .pluck();
      const endSessions = db.prepare<[string]>('DELETE FROM sessions WHERE user_id = ?');
      const countTokens = db
        .prepare<[string], number>('SELECT count(*) FROM api_tokens WHERE user_id = ?')
        .pluck();
      const audit = new SqliteAudit(db, writer);
      return writer.write(() => {
        const id = update.get(passwordHash, email);
        if (id === undefined) return null;
        audit.addNow(operatorEntry('auth.password_reset', { id, email }, now), OPERATOR_TERMS);
        return {
          sessionsEnded: endSessions.run(id).changes,
          apiTokens: countTokens.get(id) as number,
        };
      });
    });
  }
}
