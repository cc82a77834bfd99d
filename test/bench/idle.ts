import { setTimeout as sleep } from 'node:timers/promises';
import { count, short } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import type { BacklogOperations } from './programs/backlog.ts';

const TARGET = { atMost: 0.2 };
/** Nothing listens there, and nothing is sent. */
const DESTINATION = 'http://127.0.0.1:9/';

/** CPU time, by the kernel, of an idle server until the first retry is due. */
export const idle: Measurement = {
  name: 'idle',
  async run({ sizes, datasets, profileDir }) {
    const { retries, settleSeconds, seconds } = sizes.idle;
    using filled = await datasets.make({ events: 0 });
    const { dataDir } = filled;
    await using backlog = new Program<BacklogOperations>('backlog');
    await backlog.ask('queue', { dataDir, deliveries: retries, destinationUrl: DESTINATION });
    const postponed = await backlog.ask('postpone', { dataDir });
    if (postponed !== retries) throw new Error(`${postponed} of ${retries} retries are to come`);

    await using server = await HookrelayServer.start({ dataDir, profileDir });
    await sleep(settleSeconds * 1000);
    const before = server.cpuSeconds();
    const startedAt = performance.now();
    await sleep(seconds * 1000);
    const cpu = server.cpuSeconds() - before;
    const percent = (cpu / ((performance.now() - startedAt) / 1000)) * 100;
    return [
      {
        label: 'CPU of one core when idle',
        result: { kind: 'absolute', unit: '%', median: percent, min: percent, max: percent },
        target: TARGET,
        ours: `${short(cpu * 1000)} ms in ${seconds} s`,
        against: '',
        notes: `${count(retries)} retries in two hours and later; counted in steps of 10 ms`,
        figures: { percent, cpuMs: cpu * 1000, seconds, retries },
      },
    ];
  },
};
