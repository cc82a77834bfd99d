import { availableParallelism } from 'node:os';
import { CaptureRuns, figuresOf, type Run } from './harness/capture-runs.ts';
import { perSecond } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs } from './harness/statistics.ts';

/**
 * The gain for captures from more than one core: the server on all of the machine's
 * cores, compared with the same server on one. The load generator uses its share of
 * them in both runs, so cores for the server alone would give at least this much.
 */
export const cores: Measurement = {
  name: 'cores',
  async run({ sizes, load, datasets, profileDir }) {
    const { connections, pairs, seconds, warmUpSeconds } = sizes.cores;
    const all = availableParallelism();
    using filled = await datasets.make({ events: 0 });
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
    const captures = await CaptureRuns.begin({ load, server, filled, connections });
    if (warmUpSeconds > 0) await captures.run(warmUpSeconds);

    const runsOn = (count: number, runs: Run[]) => async () => {
      server.holdToCores(count);
      const run = await captures.run(seconds);
      runs.push(run);
      return run.perSecond;
    };
    const onAll: Run[] = [];
    const onOne: Run[] = [];
    const { a, b, ratio } = await inPairs(pairs, runsOn(all, onAll), runsOn(1, onOne));
    await captures.check();
    return [
      {
        label: `captures at ${connections} connections on ${all} cores, for those on one`,
        result: { kind: 'ratio', ...ratio },
        ours: perSecond(a.median),
        against: `${perSecond(b.median)} held to one core`,
        cpu: {
          unit: 'capture',
          oursUs: figuresOf(onAll).cpuUs,
          againstUs: figuresOf(onOne).cpuUs,
        },
        notes: 'the load generator shares them',
        figures: { cores: all, perSecondOnAll: a.median, perSecondOnOne: b.median },
      },
    ];
  },
};
