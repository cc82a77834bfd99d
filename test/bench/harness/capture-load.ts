import type { Filled } from '../programs/fill.ts';
import { countEvents } from './api.ts';
import type { LoadGenerator, LoadResult } from './load.ts';
import type { HookrelayServer } from './server.ts';
import { inPairs, median, type Pairs } from './statistics.ts';

export interface CaptureLoad {
  load: LoadGenerator;
  server: HookrelayServer;
  filled: Filled;
  bareUrl: string;
  connections: number;
  pairs: number;
  seconds: number;
  warmUpSeconds: number;
  /** Called as each of the server's runs begins; what it gives, as the run ends. */
  beginRun?: () => Promise<(run: LoadResult) => Promise<void>>;
}

export interface CaptureLoadResult extends Pairs {
  /** Captures that were not answered by a 2xx. */
  failed: number;
  answered: number;
  stored: number;
  /** Medians of the runs', ms. */
  p50Ms: number;
  p99Ms: number;
}

/**
 * Captures per second, next to what the bare server does with the same requests.
 * Then counts, through the API, what was stored.
 *
 * Throws when an answered capture is not there, or more is there than was sent.
 */
export async function compareCaptures(options: CaptureLoad): Promise<CaptureLoadResult> {
  const { load, server, filled, bareUrl, connections, pairs, seconds, warmUpSeconds } = options;
  const url = `${server.url}/in/${filled.publicToken}`;
  const runs: LoadResult[] = [];
  let answered = filled.events;
  let loads = 0;

  const onServer = async (duration: number): Promise<LoadResult> => {
    server.resume();
    const result = await load.run({ url, connections, seconds: duration });
    answered += result.ok;
    loads++;
    return result;
  };
  const onBare = async (duration: number): Promise<LoadResult> => {
    server.pause();
    const result = await load.run({ url: bareUrl, connections, seconds: duration });
    if (result.failed > 0) throw new Error(`the bare server failed ${result.failed} times`);
    return result;
  };

  await onBare(warmUpSeconds);
  await onServer(warmUpSeconds);
  const compared = await inPairs(
    pairs,
    async () => {
      const endRun = await options.beginRun?.();
      const result = await onServer(seconds);
      await endRun?.(result);
      runs.push(result);
      return result.ok / result.seconds;
    },
    async () => {
      const result = await onBare(seconds);
      return result.ok / result.seconds;
    },
  );
  server.resume();
  const inFlight = load.leavesInFlight ? loads * connections : 0;
  const stored = await checkStored({ url: server.url, ...filled }, answered, inFlight);
  return {
    ...compared,
    failed: runs.reduce((sum, run) => sum + run.failed, 0),
    answered,
    stored,
    p50Ms: median(runs.map((run) => run.p50Ms)),
    p99Ms: median(runs.map((run) => run.p99Ms)),
  };
}

/** Requests that the load generator left in flight may be committed after it is gone. */
const SETTLE_MS = 500;

async function checkStored(
  account: { url: string; token: string; endpointId: string },
  answered: number,
  inFlight: number,
): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const stored = await countEvents(account);
  if (stored < answered) throw new Error(`${answered} answered with 2xx, only ${stored} stored`);
  if (stored > answered + inFlight) {
    throw new Error(`${stored} stored, of ${answered} answered and at most ${inFlight} in flight`);
  }
  return stored;
}
