import { describe, expect, test } from 'vitest';
import type { HookrelayError } from '../../../src/core/errors.ts';
import { openAdmin } from '../../../src/store/open.ts';
import { tempDatabase } from '../../fixtures/postgres-database.ts';
import { openNodes } from './nodes.ts';
import { openNode } from './temp-store.ts';

async function refusal(url: string): Promise<{ code: string; message: string; hint: string }> {
  const error = await openNode(url).then(
    async (node) => {
      await node.close();
      throw new Error('it was opened');
    },
    (refused: HookrelayError) => refused,
  );
  return { code: error.code, message: error.message, hint: error.hint ?? '' };
}

function changed(url: string, change: (url: URL) => void): string {
  const parsed = new URL(url);
  change(parsed);
  return parsed.href;
}

describe('a failed start has an error with a hint', () => {
  test('no server', async () => {
    const { url } = await tempDatabase();
    const refused = await refusal(changed(url, (one) => (one.port = '1')));
    expect(refused).toMatchObject({ code: 'storage_unavailable' });
    expect(refused.hint).toContain('pg_isready');
  });

  test('a wrong password, which is not repeated', async () => {
    const { url } = await tempDatabase();
    const refused = await refusal(changed(url, (one) => (one.password = 'wrong-one')));
    expect(refused.code).toBe('database_unusable');
    expect(refused.message).toContain('refused the login');
    expect(JSON.stringify(refused)).not.toContain('wrong-one');
  });

  test('no such database', async () => {
    const { url } = await tempDatabase();
    const refused = await refusal(changed(url, (one) => (one.pathname = '/nowhere')));
    expect(refused).toMatchObject({ code: 'database_unusable' });
    expect(refused.hint).toContain('createdb');
  });

  test('a server without TLS when the URL requires it', async () => {
    const { url } = await tempDatabase();
    const refused = await refusal(`${url}?sslmode=verify-full`);
    expect(refused).toMatchObject({ code: 'database_unusable' });
    expect(refused.hint).toContain('sslmode=');
  });

  test('another encoding', async () => {
    const { url, query } = await tempDatabase();
    await query("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
    try {
      const refused = await refusal(changed(url, (one) => (one.pathname = '/latin')));
      expect(refused.message).toContain('LATIN1');
    } finally {
      await query('DROP DATABASE latin WITH (FORCE)');
    }
  });

  test('a role that may not create pg_trgm', async () => {
    const { url, query } = await tempDatabase();
    const database = new URL(url).pathname.slice(1);
    await query(`CREATE ROLE guest_${database} LOGIN PASSWORD 'guest'`);
    await query(`GRANT ALL ON SCHEMA public TO guest_${database}`);
    try {
      const guest = changed(url, (one) => {
        one.username = `guest_${database}`;
        one.password = 'guest';
      });
      const refused = await refusal(guest);
      expect(refused).toMatchObject({ code: 'database_unusable' });
      expect(refused.hint).toContain('CREATE EXTENSION pg_trgm');
      // Once the extension exists, the role creates the rest itself.
      await query('CREATE EXTENSION pg_trgm');
      await (await openNode(guest)).close();
    } finally {
      await query(`DROP OWNED BY guest_${database}`);
      await query(`DROP ROLE guest_${database}`);
    }
  });

  test('another program’s tables, which stay unchanged', async () => {
    const { url, query } = await tempDatabase();
    await query('CREATE TABLE invoices (id int)');
    expect(await refusal(url)).toMatchObject({ code: 'database_unusable' });
    const tables = await query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    expect(tables).toEqual([{ tablename: 'invoices' }]);
  });

  test('a newer schema', async () => {
    const { url, query } = await tempDatabase();
    await (await openNode(url)).close();
    await query("UPDATE meta SET value = '99' WHERE name = 'schema'");
    expect(await refusal(url)).toMatchObject({ code: 'schema_newer' });
  });

  test('an invalid number of connections', async () => {
    const { url } = await tempDatabase();
    expect(await refusal(`${url}?pool_size=2`)).toMatchObject({ code: 'config_invalid' });
  });
});

test('commits are durable whatever the database’s default is', async () => {
  const { url, query } = await tempDatabase();
  const name = new URL(url).pathname.slice(1);
  await query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  const node = await openNode(url);
  try {
    const before = await query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
    await node.checkWritable();
    const [after] = await query<{ flushed: boolean; unflushed: boolean }>(
      'SELECT pg_current_wal_flush_lsn() > $1::pg_lsn AS flushed',
      [before[0]?.lsn],
    );
    expect(after?.flushed).toBe(true);
  } finally {
    await node.close();
  }
});

test('doctor names the destinations that refuse every event', async () => {
  const { database, world } = await openNodes(1);
  const endpoint = await world.endpoint();
  const destination = await world.destination(endpoint);
  await world.events(endpoint, [{}, {}, {}]);
  for (const claim of await world.claimDue()) await world.settle(claim, 'dead');
  const admin = await openAdmin({ database: database.url, dataDir: '/nowhere' });
  try {
    expect(await admin.inspect(world.now)).toMatchObject({
      database: {
        content: { refusing: [{ endpointId: endpoint.id, destinationId: destination.id }] },
      },
    });
  } finally {
    await admin.close();
  }
});

test('commands distinguish an empty database from a used one', async () => {
  const { url } = await tempDatabase();
  const admin = await openAdmin({ database: url, dataDir: '/nowhere' });
  try {
    expect(await admin.inspect(0)).toMatchObject({ database: { state: 'missing' }, nodes: [] });
    await expect(admin.users.list()).rejects.toMatchObject({ code: 'data_dir_unusable' });
    const user = { id: 'usr_1', email: 'a@example.com', plan: 'free' } as const;
    await admin.users.create({ ...user, passwordHash: 'x', createdAt: 1 });
    expect(await admin.users.list()).toMatchObject([{ email: 'a@example.com', events: 0 }]);
    expect(await admin.users.setPlan(user.email, 'pro', 5)).toBe(true);
    expect(await admin.users.setPlan('nobody@example.com', 'pro', 5)).toBe(false);
    expect(await admin.users.setPassword(user.email, 'y', 6)).toMatchObject({ sessionsEnded: 0 });
    expect(await admin.checkIntegrity(true)).toEqual([]);
    const node = await openNode(url);
    const { entries } = await node.audit.list(user.id, { offset: 0, limit: 10 });
    await node.close();
    expect(entries).toMatchObject([
      { action: 'auth.password_reset', at: 6, actor: { type: 'system' }, changes: null },
      { action: 'account.plan', at: 5, changes: { plan: ['free', 'pro'] } },
    ]);
    await expect(admin.backup('x')).rejects.toMatchObject({
      hint: expect.stringContaining('pg_dump'),
    });
  } finally {
    await admin.close();
  }
});
