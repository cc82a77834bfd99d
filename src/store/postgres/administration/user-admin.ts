import type { Plan, User } from '../../../core/model.ts';
import type { UserAdmin } from '../../contract/admin-store.ts';
import { IS_PERSON, USER_OVERVIEWS } from '../../shared/accounts/account-rows.ts';
import { OPERATOR_TERMS, operatorEntry } from '../../shared/accounts/audit-rows.ts';
import { postgresAccounts } from '../accounts/accounts.ts';
import { addEntry } from '../accounts/audit.ts';
import type { Database } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';

/** Returns a `UserAdmin` that works while nodes run. */
export function postgresUserAdmin(
  open: (options?: { make: boolean }) => Promise<Database>,
): UserAdmin {
  return {
    list: async () => (await open()).rows(USER_OVERVIEWS),

    create: async (user) => postgresAccounts(await open({ make: true })).createUser(user),

    setPlan: async (email, plan, now) =>
      (await open()).transaction(async (sql) => {
        const [user] = await sql.rows<User>(
          `SELECT id, email, plan FROM users WHERE email = $1 AND ${IS_PERSON} FOR NO KEY UPDATE`,
          [storable(email)],
        );
        if (!user) return false;
        await sql.run('UPDATE users SET plan = $1 WHERE id = $2', [plan, user.id]);
        const changes = { plan: [user.plan, plan] as [Plan, Plan] };
        await addEntry(sql, operatorEntry('account.plan', user, now, changes), OPERATOR_TERMS);
        return true;
      }),

    setPassword: async (email, passwordHash, now) =>
      (await open()).transaction(async (sql) => {
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
      }),
  };
}
