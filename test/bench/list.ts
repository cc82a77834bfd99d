import { DEAD_LETTERS } from './harness/datasets.ts';
import { count, ms } from './harness/figures.ts';
import type { Context, Measurement, Row, Target } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs, median, spread } from './harness/statistics.ts';
import type { ApiClientOperations } from './programs/api-client.ts';
import type { Filled } from './programs/fill.ts';

const TARGET = { atMost: 1.5 };
const PAGE_EVENTS = 50;

interface Served {
  server: HookrelayServer;
  filled: Filled;
}

interface Kind {
  label: string;
  target?: Target;
  requests: number;
  path(filled: Filled): string;
  total(filled: Filled): number;
}

type Client = Program<ApiClientOperations>;
/** Median time of an answer, ms. */
type Ask = (served: Served) => Promise<number>;

/**
 * How the time of a page grows with the number of events, on servers of each
 * size side by side: the factor for ten times as many, from the smallest to each
 * larger one, and of those the largest. Bodies are short in all but one, because
 * a list doesn't read them. What is filtered by status are the oldest events.
 */
export const list: Measurement = {
  name: 'list',
  async run(context) {
    await using servers = new AsyncDisposableStack();
    using directories = new DisposableStack();
    await using client: Client = new Program<ApiClientOperations>('api-client');
    const { requests } = context.sizes.list;
    const served: Served[] = [];
    for (const filled of await fillAll(context, directories)) {
      const { dataDir } = filled;
      const { profileDir } = context;
      served.push({
        server: servers.use(await HookrelayServer.start({ dataDir, profileDir })),
        filled,
      });
    }

    const rows: Row[] = [];
    for (const kind of kindsOf(requests)) {
      rows.push(await growth(context, served, kind, (one) => page(client, kind, one)));
    }
    const cursor = { label: 'the live stream from a cursor in the middle', target: TARGET };
    rows.push(await growth(context, served, cursor, (one) => resumed(client, requests, one)));
    return rows;
  },
};

/** All at once: storing and indexing are a core's work each, and that of one leaves some idle. */
async function fillAll({ sizes, datasets }: Context, directories: DisposableStack) {
  const { events, sharedEvents } = sizes.list;
  return Promise.all(
    events.map(async (size): Promise<Filled> => {
      if (size === sharedEvents) return datasets.shared(size);
      const own = await datasets.make({ events: size, short: true, deadLetters: DEAD_LETTERS });
      return directories.use(own);
    }),
  );
}

function kindsOf(requests: number): Kind[] {
  const total = ({ events }: Filled) => events;
  return [
    { label: 'first page', target: TARGET, requests, path: () => '', total },
    {
      label: 'first page of a status',
      target: TARGET,
      requests,
      path: () => '?status=dead_letter',
      total: () => DEAD_LETTERS,
    },
    {
      label: 'page in the middle (an offset may cost in proportion)',
      requests: Math.ceil(requests / 20),
      path: ({ events }) => `?page=${Math.floor(events / PAGE_EVENTS / 2)}`,
      total,
    },
  ];
}

async function page(client: Client, kind: Kind, { server, filled }: Served): Promise<number> {
  const path = `/api/endpoints/${filled.endpointId}/events${kind.path(filled)}`;
  const paths = Array<string>(kind.requests).fill(path);
  const answers = await client.ask('get', { origin: server.url, token: filled.token, paths });
  const wrong = answers.find(({ total }) => total !== kind.total(filled));
  if (wrong) throw new Error(`${kind.label}: the total is ${wrong.total}`);
  return median(answers.map((answer) => answer.ms));
}

async function resumed(client: Client, requests: number, { server, filled }: Served) {
  const path = `/api/endpoints/${filled.endpointId}/stream`;
  const request = { origin: server.url, token: filled.token, path, events: PAGE_EVENTS };
  return median(await client.ask('resumeInTheMiddle', { ...request, times: requests }));
}

async function growth(
  { sizes, log }: Context,
  [smallest, ...larger]: Served[],
  { label, target }: { label: string; target?: Target },
  ask: Ask,
): Promise<Row> {
  const small = smallest as Served;
  const factors: number[] = [];
  const times: [number, number][] = [];
  await ask(small);
  for (const large of larger) {
    log(`${label} of ${large.filled.events}`);
    await ask(large);
    const { a, b, ratio } = await inPairs(
      sizes.list.rounds,
      () => ask(large),
      () => ask(small),
    );
    const tens = Math.log10(large.filled.events / small.filled.events);
    factors.push(ratio.median ** (1 / tens));
    if (times.length === 0) times.push([small.filled.events, b.median]);
    times.push([large.filled.events, a.median]);
  }
  const result = spread(factors);
  const [first, ...others] = times.map(([events, took]) => `${ms(took)} at ${count(events)}`);
  return {
    label: `${label}, for 10 × the events`,
    result: { kind: 'ratio', ...result, median: result.max },
    target,
    ours: others.join(', '),
    against: first as string,
    notes: '',
    figures: Object.fromEntries(times.map(([events, took]) => [`msAt${events}`, took])),
  };
}
