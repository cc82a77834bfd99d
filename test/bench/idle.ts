import { setTimeout as sleep } from 'node:timers/promises';
import { count } from './harness/figures.ts';
import { idleCpu, idleRow } from './harness/idle-cpu.ts';
import type { Measurement } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import type { BacklogOperations } from './programs/backlog.ts';

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
    const cpu = await idleCpu(server, seconds);
    const notes = `${count(retries)} retries in two hours and later`;
    return [idleRow('CPU of one core when idle', cpu, notes, { retries })];
  },
};
