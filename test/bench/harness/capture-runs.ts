import type { Filled } from '../programs/fill.ts';
import { countEvents } from './api.ts';
import { count } from './figures.ts';
import type { LoadGenerator, LoadRequest, LoadResult } from './load.ts';
import type { HookrelayServer } from './server.ts';
import { median } from './statistics.ts';

export interface CaptureTarget {
  load: LoadGenerator;
  server: HookrelayServer;
  filled: Pick<Filled, 'token' | 'endpointId' | 'publicToken'>;
  connections: number;
  bodyBytes?: number | undefined;
  secret?: string | undefined;
}

export interface Run extends LoadResult {
  perSecond: number;
  /** CPU time of the loaded process for each request, µs. */
  cpuUs: number;
}

/** One load on a process, with its CPU time. */
export async function loadRun(
  load: LoadGenerator,
  process: { cpuSeconds(): number },
  request: LoadRequest,
): Promise<Run> {
  const cpuBefore = process.cpuSeconds();
  const result = await load.run(request);
  const cpu = process.cpuSeconds() - cpuBefore;
  if (result.ok === 0) throw new Error(`none of ${result.failed} requests was answered by a 2xx`);
  return { ...result, perSecond: result.ok / result.seconds, cpuUs: (cpu / result.ok) * 1e6 };
}

/** Medians of runs. */
export interface RunFigures {
  p50Ms: number;
  p99Ms: number;
  cpuUs: number;
  /** Requests of all runs without a 2xx. */
  failed: number;
}

export function figuresOf(runs: readonly Run[]): RunFigures {
  return {
    p50Ms: median(runs.map((run) => run.p50Ms)),
    p99Ms: median(runs.map((run) => run.p99Ms)),
    cpuUs: median(runs.map((run) => run.cpuUs)),
    failed: runs.reduce((sum, run) => sum + run.failed, 0),
  };
}

/** Summary of all captures for the notes. */
export function outcome({ answered, stored }: Stored, { failed }: RunFigures): string {
  const failures = failed > 0 ? `, FAILED ${count(failed)}` : '';
  return `answered ${count(answered)}, stored ${count(stored)}${failures}`;
}

export interface Stored {
  answered: number;
  stored: number;
}

/** Requests that the load generator left in flight may be committed after it ends. */
const SETTLE_MS = 500;

/** Capture loads on one endpoint, with a check that every answered request is stored afterwards. */
export class CaptureRuns {
  readonly #target: CaptureTarget;
  readonly #before: number;
  #answered = 0;
  #loads = 0;

  /** Nothing else may capture to this endpoint until `check`. */
  static async begin(target: CaptureTarget): Promise<CaptureRuns> {
    return new CaptureRuns(target, await countEvents(accountOf(target)));
  }

  private constructor(target: CaptureTarget, before: number) {
    this.#target = target;
    this.#before = before;
  }

  async run(seconds: number): Promise<Run> {
    const { load, server, filled, connections, bodyBytes, secret } = this.#target;
    const url = `${server.url}/in/${filled.publicToken}`;
    const run = await loadRun(load, server, { url, connections, seconds, bodyBytes, secret });
    this.#answered += run.ok;
    this.#loads++;
    return run;
  }

  /** Throws when an answered capture is missing, or more captures are stored than were sent. */
  async check(): Promise<Stored> {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const answered = this.#answered;
    const { load, connections } = this.#target;
    const inFlight = load.leavesInFlight ? this.#loads * connections : 0;
    const stored = (await countEvents(accountOf(this.#target))) - this.#before;
    if (stored < answered) throw new Error(`${answered} answered with 2xx, only ${stored} stored`);
    if (stored > answered + inFlight) {
      throw new Error(
        `${stored} stored, of ${answered} answered and at most ${inFlight} in flight`,
      );
    }
    return { answered, stored };
  }
}

function accountOf({ server, filled }: CaptureTarget) {
  return { url: server.url, token: filled.token, endpointId: filled.endpointId };
}
