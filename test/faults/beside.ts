import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Sent } from './paced-captures.ts';
import { report } from './report.ts';

/* What an account sees beside another one that attacks, against a control in the same run. */

/** Of control and attack each. */
const ROUNDS = 2;
/** Delay that two cores cause, shared with a thread that judges and with two senders, ms. */
const NOISE_MS = 200;
const SENDER = fileURLToPath(new URL('paced-captures.ts', import.meta.url));

export interface Pace {
  count: number;
  everyMs: number;
}

/** The answer times of captures at a steady pace. */
export async function timesOf(
  url: string,
  { count, everyMs }: Pace,
  sent: Sent,
): Promise<number[]> {
  const args = [SENDER, url, String(count), String(everyMs), JSON.stringify(sent)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
  return JSON.parse(stdout) as number[];
}

/** One that sends without end. */
export interface Sender {
  url: string;
  everyMs: number;
  sent: Sent;
}

/** Runs `work` while others send. */
export async function beside<T>(senders: readonly Sender[], work: () => Promise<T>): Promise<T> {
  const running = senders.map(({ url, everyMs, sent }) => {
    const args = [SENDER, url, '20000', String(everyMs), JSON.stringify(sent)];
    return spawn(process.execPath, args, { stdio: 'ignore' });
  });
  try {
    return await work();
  } finally {
    for (const sender of running) {
      sender.kill('SIGKILL');
      await once(sender, 'exit');
    }
  }
}

const p99 = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] as number;

/** Answer times of each round, by what was measured. */
type Rounds = Record<string, number[]>[];

/**
 * Measures beside the control and beside the attack, in turn. The best round counts: whatever
 * else the machine does only adds to a round.
 */
export async function judge(
  measure: (isAttack: boolean) => Promise<Rounds[number]>,
): Promise<void> {
  const rounds = { control: [] as Rounds, attack: [] as Rounds };
  for (let i = 0; i < ROUNDS; i++) {
    rounds.control.push(await measure(false));
    rounds.attack.push(await measure(true));
  }
  for (const what of Object.keys(rounds.control[0] ?? {})) {
    const best = (of: Rounds) => Math.min(...of.map((round) => p99(round[what] as number[])));
    const [control, attack] = [best(rounds.control), best(rounds.attack)];
    report(`${what}, p99 in ms`, { control: Math.round(control), attack: Math.round(attack) });
    expect.soft(attack).toBeLessThan(2 * control + NOISE_MS);
  }
}
