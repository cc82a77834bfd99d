import { setTimeout as sleep } from 'node:timers/promises';
import { short } from './figures.ts';
import type { Row } from './measurement.ts';
import type { HookrelayServer } from './server.ts';

/** The most that an idle server may use. */
const TARGET = { atMost: 0.2 };

export interface IdleCpu {
  /** Of one core. */
  percent: number;
  cpuMs: number;
  seconds: number;
}

/** CPU time, by the kernel, of a server that nobody calls. */
export async function idleCpu(server: HookrelayServer, seconds: number): Promise<IdleCpu> {
  const before = server.cpuSeconds();
  const startedAt = performance.now();
  await sleep(seconds * 1000);
  const cpu = server.cpuSeconds() - before;
  const percent = (cpu / ((performance.now() - startedAt) / 1000)) * 100;
  return { percent, cpuMs: cpu * 1000, seconds };
}

/** @param notes that come before those of every such row */
export function idleRow(
  label: string,
  cpu: IdleCpu,
  notes: string,
  figures: Record<string, number>,
): Row {
  const { percent, cpuMs, seconds } = cpu;
  return {
    label,
    result: { kind: 'absolute', unit: '%', median: percent, min: percent, max: percent },
    target: TARGET,
    ours: `${short(cpuMs)} ms in ${seconds} s`,
    against: '',
    notes: `${notes}; counted in steps of 10 ms`,
    figures: { ...cpu, ...figures },
  };
}
