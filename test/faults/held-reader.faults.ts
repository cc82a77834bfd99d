import { expect, inject, test } from 'vitest';
import { register } from '../fixtures/account.ts';
import { holdReader } from '../fixtures/held-reader.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { report } from './report.ts';

const { readerHeldMs, readerPauseMs } = inject('scale');

test('a reader that stays in the database: capture goes on, and the log is reported and shrinks afterwards', async () => {
  const dataDir = tempDir();
  const served = await serveIn(dataDir, ['--log-format', 'json']);
  const account = await register(served);
  const endpoint = await account.createEndpoint();
  const held = await holdReader(
    { served, account, endpoint, dataDir },
    { holdMs: readerHeldMs, bodyMib: 1, everyMs: readerPauseMs },
  );
  report('a reader held open', { seconds: readerHeldMs / 1000, ...held, lost: 0 });
  served.kill('SIGTERM');
  expect(await served.exited()).toEqual({ code: 0, signal: null });
  checkDatabase(dataDir);
});
