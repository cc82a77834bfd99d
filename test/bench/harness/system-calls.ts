import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { track } from './children.ts';

/** The last line of strace's table. Its fourth column is the number of calls. */
const TOTAL = /^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)(?:\s+\d+)?\s+total$/m;

/**
 * System calls of a process, all threads together, counted by strace. It slows the process several
 * times, so nothing else is measured at the same time.
 *
 * @returns null where strace isn't installed, or may not attach
 */
export async function countSystemCalls(
  pid: number | undefined,
  during: () => Promise<unknown>,
): Promise<number | null> {
  const strace = spawn('strace', ['-c', '-f', '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const failed = once(strace, 'error').then(() => null);
  if (strace.pid === undefined) return failed;
  track(strace);
  const table = text(strace.stderr);
  const exited = once(strace, 'exit');
  await once(strace.stderr, 'readable');
  await during();
  strace.kill('SIGINT');
  await exited;
  const total = TOTAL.exec(await table)?.[1];
  return total === undefined ? null : Number(total);
}
