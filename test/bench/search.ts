import { count, ms } from './harness/figures.ts';
import type { Measurement, Row, Target } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs, median, type Spread } from './harness/statistics.ts';
import {
  ABSENT,
  ABSENT_OF_COMMON_TRIGRAMS,
  WORD_IN_ALL,
  WORD_IN_SOME,
} from './harness/stored-events.ts';
import type { ApiClientOperations } from './programs/api-client.ts';
import type { Filled } from './programs/fill.ts';
import type { ScanOperations } from './programs/scan.ts';

const UUID_TARGET = { atLeast: 40 };
const EMAIL_TARGET = { atLeast: 8 };
const OTHER_TARGET = { atMost: 1.3 };
const RULE_TARGET = { atMost: 2 };
/** Ids and addresses searched in a round, each a different one. */
const DIFFERENT = 10;

interface Kind {
  label: string;
  /** The search terms of a round. The first of them is also scanned. */
  queries(round: number): string[];
  /** The ratio scan / search instead of search / scan. */
  isSpeedUp: boolean;
  target: Target;
}

/**
 * A search over HTTP, with its exact total and first page, compared with reading
 * all bodies (see `programs/scan.ts`), and a search by rule with the search for its text.
 * Both sides must find the same number.
 */
export const search: Measurement = {
  name: 'search',
  async run({ sizes, datasets, profileDir, log }) {
    const { events, rounds } = sizes.search;
    const filled = await datasets.shared(events);
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
    await using client = new Program<ApiClientOperations>('api-client');
    await using scanner = new Program<ScanOperations>('scan');
    await scanner.ask('open', filled);

    const ask = (queries: string[], param = 'q', rule = (text: string) => text) =>
      client.ask('get', {
        origin: server.url,
        token: filled.token,
        paths: queries.map((text) => {
          const value = encodeURIComponent(param === 'where' ? rule(text) : text);
          return `/api/endpoints/${filled.endpointId}/events?${param}=${value}`;
        }),
      });
    const compare = async (kind: Kind): Promise<Row> => {
      log(`for ${kind.label}`);
      let round = 0;
      let found = 0;
      const searched = async () => {
        const answers = await ask(kind.queries(round));
        found = answers[0]?.total as number;
        return median(answers.map((answer) => answer.ms));
      };
      const scanned = async () => {
        const [q] = kind.queries(round++);
        const scan = await scanner.ask('scan', { q: q as string });
        if (scan.total === found) return scan.ms;
        throw new Error(`${q}: the search found ${found}, the scan ${scan.total}`);
      };
      const { a, b, ratio } = await inPairs(rounds, searched, scanned);
      return {
        label: `${kind.label}, ${kind.isSpeedUp ? 'scan / search' : 'search / scan'}`,
        result: { kind: 'ratio', ...(kind.isSpeedUp ? inverse(ratio) : ratio) },
        target: kind.target,
        ours: ms(a.median),
        against: `${ms(b.median)} scan`,
        notes: `${count(found)} of ${count(events)} found`,
        figures: { searchMs: a.median, scanMs: b.median, found, events },
      };
    };

    // Both run once without measuring, so that all bodies are in the page cache.
    await scanner.ask('scan', { q: WORD_IN_ALL });
    await ask([WORD_IN_ALL]);
    const rows: Row[] = [];
    for (const kind of kindsOf(filled)) rows.push(await compare(kind));

    const compareRule = async (label: string, rule: (text: string) => string, of: string[]) => {
      log(`for ${label} by rule`);
      let round = 0;
      const totals: (number | undefined)[] = [];
      const timed = (param: string) => async () => {
        const answers = await ask(some(of)(round), param, rule);
        totals.push(answers[0]?.total);
        if (param === 'q') round++;
        return median(answers.map((answer) => answer.ms));
      };
      const { a, b, ratio } = await inPairs(rounds, timed('where'), timed('q'));
      for (let i = 0; i < totals.length; i += 2) {
        if (totals[i] !== totals[i + 1])
          throw new Error(`${label}: the rule found ${totals[i]}, the text ${totals[i + 1]}`);
      }
      rows.push({
        label: `${label} by rule, where / q`,
        result: { kind: 'ratio', ...ratio },
        target: RULE_TARGET,
        ours: ms(a.median),
        against: `${ms(b.median)} q`,
        notes: `${count(totals[0] ?? 0)} of ${count(events)} found`,
        figures: { whereMs: a.median, qMs: b.median, events },
      });
    };
    await compareRule('a UUID', (text) => `body.id=${text}`, filled.uuids);
    await compareRule(
      'an e-mail address',
      (text) => `body.data.object.customer_email=${text}`,
      filled.emails,
    );
    return rows;
  },
};

/** Different texts for each round. */
const some = (of: string[]) => (round: number) =>
  Array.from({ length: DIFFERENT }, (_, i) => of[(round * DIFFERENT + i) % of.length] as string);

function kindsOf({ uuids, emails }: Filled): Kind[] {
  const always = (q: string) => () => [q];
  const other = { isSpeedUp: false, target: OTHER_TARGET };
  return [
    { label: 'a UUID', queries: some(uuids), isSpeedUp: true, target: UUID_TARGET },
    { label: 'an e-mail address', queries: some(emails), isSpeedUp: true, target: EMAIL_TARGET },
    { label: 'a word in every event', queries: always(WORD_IN_ALL), ...other },
    { label: 'a word in 15 %', queries: always(WORD_IN_SOME), ...other },
    { label: 'nothing, rare trigrams', queries: always(ABSENT), ...other },
    { label: 'nothing, common trigrams', queries: always(ABSENT_OF_COMMON_TRIGRAMS), ...other },
  ];
}

function inverse(of: Spread): Spread {
  return { median: 1 / of.median, min: 1 / of.max, max: 1 / of.min };
}
