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

/** At the end of the run, however it came: at once, without asking. */
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
  // One that is stopped (SIGSTOP) takes no other signal until it goes on.
  child.kill('SIGCONT');
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(force);
}
