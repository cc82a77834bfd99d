import { addDestination, createEndpoint } from './harness/api.ts';
import { CaptureRuns, figuresOf, outcome, type Run } from './harness/capture-runs.ts';
import { ms, perSecond } from './harness/figures.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs } from './harness/statistics.ts';

const TARGET = { atMost: 2 };
/** Nothing is sent there. */
const DESTINATION = 'https://198.51.100.1/';

/** Ten rules of the kinds that people write. None fits the load's bodies, and each looks at them. */
const FILTERS = [
  'body.type^=invoice. and body.data.object.amount_due>=100000000',
  'body.type in (charge.refunded, charge.disputed, payout.failed)',
  'body.type~=^customer[.]subscription[.] or body.livemode=false',
  'body.data.object.currency=usd and header.content-type*=json',
  'body.data.object.customer_email$=@other.example',
  'body.data.object.lines.total_count>1',
  'not (body.object=event)',
  'method=POST and body.data.object.status in (draft, void)',
  { body: { $or: [{ pending_webhooks: { $gt: 5 } }, { request: { id: 'req_1' } }] } },
  { headers: { 'user-agent': { $startsWith: 'GitHub' } }, body: { data: { object: {} } } },
];

/**
 * Captures of 1 KB to an endpoint with ten destinations, each with a filter that drops
 * the event, compared with captures to an endpoint without destinations. By CPU time.
 */
export const filters: Measurement = {
  name: 'filters',
  async run({ sizes, load, datasets, profileDir }: Context): Promise<Row[]> {
    const { connections, pairs, seconds, warmUpSeconds } = sizes.filters;
    using filled = await datasets.make({ events: 0 });
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
    const account = { url: server.url, ...filled };
    const filtered = { token: filled.token, ...(await createEndpoint(account)) };
    for (const filter of FILTERS) {
      await addDestination({ url: server.url, ...filtered }, { url: DESTINATION, filter });
    }

    const target = { load, server, connections };
    const withFilters = await CaptureRuns.begin({ ...target, filled: filtered });
    const without = await CaptureRuns.begin({ ...target, filled });
    const filteredRuns: Run[] = [];
    const plainRuns: Run[] = [];
    const cpuOf = async (captures: CaptureRuns, runs: Run[], length: number) => {
      const run = await captures.run(length);
      runs.push(run);
      return run.cpuUs;
    };
    if (warmUpSeconds > 0) {
      await cpuOf(withFilters, [], warmUpSeconds);
      await cpuOf(without, [], warmUpSeconds);
    }
    const { a, b, ratio } = await inPairs(
      pairs,
      () => cpuOf(withFilters, filteredRuns, seconds),
      () => cpuOf(without, plainRuns, seconds),
    );
    const stored = await withFilters.check();
    await without.check();
    const ours = figuresOf(filteredRuns);
    const rate = (runs: Run[]) => runs.reduce((sum, run) => sum + run.perSecond, 0) / runs.length;
    return [
      {
        label: `${FILTERS.length} filters that drop, ${connections} connections, CPU`,
        result: { kind: 'ratio', ...ratio },
        target: TARGET,
        ours: perSecond(rate(filteredRuns)),
        against: `${perSecond(rate(plainRuns))} without destinations`,
        cpu: { unit: 'capture', oursUs: a.median, againstUs: b.median },
        notes: `p50 ${ms(ours.p50Ms)}, p99 ${ms(ours.p99Ms)}; ${outcome(stored, ours)}`,
        figures: { ...ours, ...stored, plainCpuUs: b.median },
      },
    ];
  },
};
