import { randomBytes } from 'node:crypto';
import { test } from 'vitest';
import { tempDatabase } from '../../fixtures/postgres-database.ts';
import { DataDir } from '../local-server.ts';
import { playLostSecret } from './rekeyed-data.ts';

test('a lost HOOKRELAY_SECRET_KEY on PostgreSQL: rekey goes on with the rest', async () => {
  const { url } = await tempDatabase();
  const env = () => ({
    HOOKRELAY_DATABASE: url,
    HOOKRELAY_SECRET_KEY: randomBytes(32).toString('hex'),
    HOOKRELAY_DRAIN_DELAY: '0',
  });
  await playLostSecret(new DataDir(), env(), env);
});
