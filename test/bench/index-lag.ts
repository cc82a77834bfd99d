import { setTimeout as sleep } from 'node:timers/promises';
import { count, perSecond, short } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';
import { readMetrics, untilIndexed } from './harness/metrics.ts';
import { answeredRate, rateShortfall } from './harness/paced-rate.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { median } from './harness/statistics.ts';
import type { PacedSenderOperations } from './programs/paced-sender.ts';

const TARGET = { atMost: 5 };
const SAMPLE_EVERY_MS = 250;
/** Time to index the rest, before and after. */
const CATCH_UP_DEADLINE_MS = 120_000;

/**
 * How far the search index lags at a steady rate of captures, and how soon it
 * catches up when they end. Searches stay exact: they scan events that aren't
 * indexed yet. The lag in events divided by the rate is the age of the oldest.
 */
export const indexLag: Measurement = {
  name: 'index-lag',
  async run({ sizes, datasets, profileDir }) {
    const { events, perSecond: rate, seconds } = sizes.indexLag;
    const filled = await datasets.shared(events);
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
    await using sender = new Program<PacedSenderOperations>('paced-sender');
    await untilIndexed(server.url, CATCH_UP_DEADLINE_MS);

    const lags: number[] = [];
    let isSending = true;
    const sample = async () => {
      while (isSending) {
        lags.push((await readMetrics(server.url)).indexLag);
        await sleep(SAMPLE_EVERY_MS);
      }
    };
    const url = `${server.url}/in/${filled.publicToken}`;
    const sending = sender.ask('send', { url, perSecond: rate, seconds });
    const ended = sending.finally(() => {
      isSending = false;
    });
    const [result] = await Promise.all([ended, sample()]);
    const caughtUpS = await untilIndexed(server.url, CATCH_UP_DEADLINE_MS);

    const reachedRate = answeredRate(result);
    const worst = Math.max(...lags) / reachedRate;
    const usual = median(lags) / reachedRate;
    return [
      {
        label: `lag of the search index at ${perSecond(rate)}`,
        result: { kind: 'absolute', unit: 's', median: worst, min: worst, max: worst },
        target: TARGET,
        ours: `${short(worst)} s at most, ${short(usual)} s usually`,
        against: '',
        shortfall: rateShortfall(reachedRate, rate),
        notes:
          `${count(events)} events there before, ${count(result.sent)} captured at ` +
          `${perSecond(reachedRate)}; all indexed ${short(caughtUpS)} s after the last`,
        figures: { worst, usual, caughtUpS, reachedRate, sent: result.sent },
      },
    ];
  },
};
