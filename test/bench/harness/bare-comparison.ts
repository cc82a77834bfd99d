import type { BareServerOperations } from '../programs/bare-server.ts';
import {
  CaptureRuns,
  type CaptureTarget,
  figuresOf,
  loadRun,
  outcome,
  type Run,
  type RunFigures,
  type Stored,
} from './capture-runs.ts';
import { ms, perSecond } from './figures.ts';
import type { Row, Target } from './measurement.ts';
import { Program } from './program.ts';
import { inPairs, type Pairs } from './statistics.ts';

export interface ComparisonSizes {
  pairs: number;
  seconds: number;
  /** 0 for none. */
  warmUpSeconds: number;
}

export interface Comparison extends Pairs {
  ours: RunFigures;
  stored: Stored;
  /** CPU time of the bare server for each request, µs. */
  bareCpuUs: number;
}

/** `node:http` that reads bodies and stores nothing: the comparison for captures. */
export class BareServer implements AsyncDisposable {
  readonly #program = new Program<BareServerOperations>('bare-server');
  #url: Promise<string> | undefined;

  /**
   * The same load on the bare server. The other server is stopped during it: after
   * a load it has work left, which would slow the bare server and flatter
   * hookrelay.
   */
  async run(
    { load, server, connections, bodyBytes }: CaptureTarget,
    seconds: number,
  ): Promise<Run> {
    this.#url ??= this.#program.ask('listen');
    const url = await this.#url;
    server.pause();
    try {
      const run = await loadRun(load, this.#program, { url, connections, seconds, bodyBytes });
      if (run.failed > 0) throw new Error(`the bare server failed ${run.failed} times`);
      return run;
    } finally {
      server.resume();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]();
  }
}

/**
 * Captures per second, and those of the bare server with the same requests.
 *
 * @param beginRun called when each of the server's runs begins; its result is
 *   called when the run ends
 */
export async function compareWithBare(
  bare: BareServer,
  target: CaptureTarget,
  { pairs, seconds, warmUpSeconds }: ComparisonSizes,
  beginRun?: () => Promise<(run: Run) => Promise<void>>,
): Promise<Comparison> {
  const captures = await CaptureRuns.begin(target);
  const ours: Run[] = [];
  const bares: Run[] = [];
  if (warmUpSeconds > 0) {
    await bare.run(target, warmUpSeconds);
    await captures.run(warmUpSeconds);
  }
  const compared = await inPairs(
    pairs,
    async () => {
      const endRun = await beginRun?.();
      const run = await captures.run(seconds);
      await endRun?.(run);
      ours.push(run);
      return run.perSecond;
    },
    async () => {
      const run = await bare.run(target, seconds);
      bares.push(run);
      return run.perSecond;
    },
  );
  const stored = await captures.check();
  return { ...compared, stored, ours: figuresOf(ours), bareCpuUs: figuresOf(bares).cpuUs };
}

/** @param more notes that come before those of every such row */
export function bareRow(
  label: string,
  target: Target | undefined,
  { a, b, ratio, ours, bareCpuUs, stored }: Comparison,
  more = '',
): Row {
  const { p50Ms, p99Ms, cpuUs } = ours;
  return {
    label,
    result: { kind: 'ratio', ...ratio },
    target,
    ours: perSecond(a.median),
    against: `${perSecond(b.median)} bare node:http`,
    cpu: { unit: 'capture', oursUs: cpuUs, againstUs: bareCpuUs },
    notes: `${more}p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}; ${outcome(stored, ours)}`,
    figures: {
      capturesPerSecond: a.median,
      barePerSecond: b.median,
      bareCpuUs,
      ...ours,
      ...stored,
    },
  };
}
