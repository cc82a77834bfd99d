import type { Plan, User } from '../../../core/model.ts';
import type { UserAdmin, UserOverview } from '../../contract/admin-store.ts';
import { IS_PERSON, USER_OVERVIEWS } from '../../shared/accounts/account-rows.ts';
import { OPERATOR_TERMS, operatorEntry } from '../../shared/accounts/audit-rows.ts';
import { sqliteAccounts } from '../accounts/accounts.ts';
import { addEntry } from '../accounts/audit.ts';
import type { AdminConnection } from './admin-connection.ts';

/** Runs `work` on a connection of the command. With `make`, creates a missing database first. */
export type OnConnection = <T>(
  work: (connection: AdminConnection) => T | Promise<T>,
  options?: { make: boolean },
) => Promise<T>;

/** Reads and changes accounts beside a running server. Each change is one short transaction. */
export function sqliteUserAdmin(onConnection: OnConnection): UserAdmin {
  return {
    list: () => onConnection(({ db }) => db.prepare<[], UserOverview>(USER_OVERVIEWS).all()),

    create: (user) =>
      onConnection(({ db, writer }) => sqliteAccounts(db, writer).createUser(user), {
        make: true,
      }),

    setPlan: (email, plan, now) =>
      onConnection(({ db, writer }) =>
        writer.write(() => {
          const user = db
            .prepare<[string], User>(
              `SELECT id, email, plan FROM users WHERE email = ? AND ${IS_PERSON}`,
            )
            .get(email);
          if (!user) return false;
          db.prepare('UPDATE users SET plan = ? WHERE id = ?').run(plan, user.id);
          const changes = { plan: [user.plan, plan] as [Plan, Plan] };
          addEntry(db, operatorEntry('account.plan', user, now, changes), OPERATOR_TERMS);
          return true;
        }),
      ),

    setPassword: (email, passwordHash, now) =>
      onConnection(({ db, writer }) =>
        writer.write(() => {
          const id = db
            .prepare<[string, string], string>(
              `UPDATE users SET password_hash = ? WHERE email = ? AND ${IS_PERSON} RETURNING id`,
            )
            .pluck()
            .get(passwordHash, email);
          if (id === undefined) return null;
          addEntry(db, operatorEntry('auth.password_reset', { id, email }, now), OPERATOR_TERMS);
          const tokens = db.prepare('SELECT count(*) FROM api_tokens WHERE user_id = ?').pluck();
          return {
            sessionsEnded: db.prepare('DELETE FROM sessions WHERE user_id = ?').run(id).changes,
            apiTokens: tokens.get(id) as number,
          };
        }),
      ),
  };
}
