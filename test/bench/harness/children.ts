import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();

/** Remembers a process, so that none outlives the run. */
export function track<T extends ChildProcess>(child: T): T {
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/** Ends all processes at the end of the run, at once, however it ended. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Ends one process: by the signal, and by force after `graceMs`. */
export async function end(
  child: ChildProcess,
  signal: NodeJS.Signals,
  graceMs: number,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // A stopped process (SIGSTOP) takes no other signal until it continues.
  child.kill('SIGCONT');
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(force);
}
