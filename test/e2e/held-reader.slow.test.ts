import { test } from 'vitest';
import { register } from '../fixtures/account.ts';
import { holdReader } from '../fixtures/held-reader.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';

failOnLeaks();

test('captures go on while another program holds a read transaction, and the growing log is reported', async () => {
  const dataDir = tempDir();
  const served = await serveIn(dataDir, ['--log-format', 'json']);
  const account = await register(served);
  const endpoint = await account.createEndpoint();
  await holdReader({ served, account, endpoint, dataDir }, { holdMs: 0, bodyMib: 24, everyMs: 0 });
  served.kill('SIGTERM');
  await served.exited();
  checkDatabase(dataDir);
});
