/*
 * Opens the store in the directory of its first argument and prints the result:
 * `{"open":true}`, or the error's code, message and hint. The second argument says what
 * it does then; `hold` keeps the store open until the process is killed or its stdin ends.
 */
import { systemClock } from '../../../src/core/runtime/runtime.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';

const [dataDir, task] = process.argv.slice(2);

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

try {
  const store = await openSqliteStore({
    dataDir: dataDir as string,
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    onFatal() {
      process.exit(3);
    },
  });
  say({ open: true, pid: process.pid });
  if (task === 'hold') {
    for await (const _ of process.stdin);
  }
  await store.close();
} catch (error) {
  const { code, message, hint } = error as Error & { code?: string; hint?: string };
  say({ code, message, hint });
}
