import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const SCRIPT = fileURLToPath(new URL('open-child.ts', import.meta.url));

export interface StoreChild {
  process: ChildProcess;
  /** The first line of its output. */
  said: Record<string, unknown>;
}

/** Runs `open-child.ts` in its own process, which doesn't outlive the test. */
export async function storeChild(
  dataDir: string,
  task: 'hold' | 'close',
  options: { uid?: number } = {},
): Promise<StoreChild> {
  const child = spawn(process.execPath, [SCRIPT, dataDir, task], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...options,
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes('\n')) break;
  }
  return { process: child, said: JSON.parse(output.split('\n')[0] as string) };
}
