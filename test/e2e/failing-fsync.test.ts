import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { capture, register } from '../fixtures/account.ts';
import { request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { storedIds } from '../fixtures/stored-ids.ts';

failOnLeaks();

const PRELOAD = fileURLToPath(new URL('../fixtures/preload-failing-commit.mjs', import.meta.url));

/* By what SQLite says of it; test/faults has the system itself fail the call. */
test('a commit whose fsync fails answers no 2xx, and the process ends', async () => {
  const dataDir = tempDir();
  const trigger = join(tempDir(), 'commits fail now');
  const served = await serveIn(dataDir, ['--log-format', 'json'], {
    NODE_OPTIONS: `--import=${PRELOAD}`,
    FAILING_COMMIT_FILE: trigger,
  });
  const endpoint = await (await register(served)).createEndpoint();
  const acknowledged: string[] = [];
  for (let i = 0; i < 3; i++) acknowledged.push(await capture(endpoint.capture_url, `${i}`));
  writeFileSync(trigger, '');
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const send = request(endpoint.capture_url, { method: 'POST', body: 'late' });
      // Null when the process ended before it answered.
      return (await send.catch(() => null))?.status ?? null;
    }),
  );
  expect(statuses.filter((status) => status !== null && status !== 503)).toEqual([]);
  expect(await served.exited()).toEqual({ code: 1, signal: null });
  expect(served.stderr).toContain('the storage failed; the server stops');
  checkDatabase(dataDir);
  expect(storedIds(dataDir)).toEqual(acknowledged);
});
