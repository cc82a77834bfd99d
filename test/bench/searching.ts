import { CaptureRuns, figuresOf, outcome, type Run } from './harness/capture-runs.ts';
import { count, ms, perSecond } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';
import { readMetrics } from './harness/metrics.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs } from './harness/statistics.ts';
import { ABSENT_OF_COMMON_TRIGRAMS, WORD_IN_ALL, WORD_IN_SOME } from './harness/stored-events.ts';
import type { ApiClientOperations } from './programs/api-client.ts';

const TARGET = { atLeast: 0.6 };
/** Searches for which the server reads all or many bodies. */
const LONG_SEARCHES = [ABSENT_OF_COMMON_TRIGRAMS, WORD_IN_ALL, WORD_IN_SOME];

/**
 * Captures during continuous long searches of a large endpoint and an indexer
 * backlog, compared with the same server's captures without searches. The indexer
 * works in both cases, on the captured events.
 */
export const searching: Measurement = {
  name: 'searching',
  async run({ sizes, load, datasets, profileDir }) {
    const { events, connections, pairs, seconds, warmUpSeconds } = sizes.searching;
    const filled = await datasets.shared(events);
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
    await using client = new Program<ApiClientOperations>('api-client');
    const captures = await CaptureRuns.begin({ load, server, filled, connections });
    const paths = LONG_SEARCHES.map(
      (q) => `/api/endpoints/${filled.endpointId}/events?q=${encodeURIComponent(q)}`,
    );
    const beside: Run[] = [];
    const alone: Run[] = [];
    let searches = 0;
    let leastLag = Number.POSITIVE_INFINITY;

    if (warmUpSeconds > 0) await captures.run(warmUpSeconds);
    const { a, b, ratio } = await inPairs(
      pairs,
      async () => {
        const api = { origin: server.url, token: filled.token, paths, atOnce: 1, seconds };
        // The last search continues after the load, and the indexer then catches
        // up.
        const capturing = captures.run(seconds).then(async (run) => {
          leastLag = Math.min(leastLag, (await readMetrics(server.url)).indexLag);
          return run;
        });
        const [run, answered] = await Promise.all([capturing, client.ask('repeat', api)]);
        searches += answered;
        beside.push(run);
        return run.perSecond;
      },
      async () => {
        const run = await captures.run(seconds);
        alone.push(run);
        return run.perSecond;
      },
    );
    const stored = await captures.check();
    const figures = figuresOf(beside);
    return [
      {
        label: `captures while ${count(events)} events are searched and indexed`,
        result: { kind: 'ratio', ...ratio },
        target: TARGET,
        ours: perSecond(a.median),
        against: `${perSecond(b.median)} without the searches`,
        cpu: { unit: 'capture', oursUs: figures.cpuUs, againstUs: figuresOf(alone).cpuUs },
        notes:
          `${count(searches)} searches one after the other, at least ${count(leastLag)} events ` +
          `left to index; p99 ${ms(figures.p99Ms)}; ${outcome(stored, figures)}`,
        figures: {
          besidePerSecond: a.median,
          alonePerSecond: b.median,
          searches,
          leastLag,
          ...figures,
        },
      },
    ];
  },
};
