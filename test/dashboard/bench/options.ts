import { parseArgs } from 'node:util';

export interface PageBenchOptions {
  /** Another checkout whose page is measured in turn with this one's, or null. */
  against: string | null;
  rounds: number;
  /** Events of the list. */
  events: number;
  /** Captures of a round that are timed. */
  captures: number;
  /** Names of measurements; empty means all. */
  only: string[];
  json: string | null;
  /** A selector of a row that isn't fetched yet. */
  blank: string;
}

const usage = (names: readonly string[]) => `npm run bench:page -- [options]

  --against PATH  another checkout, measured in turn with this one: its server, and its
                  page as \`npm start\` has built it
  --rounds N      how often each side is measured (5)
  --events N      events of the list (60000)
  --captures N    captures that a round times (100)
  --only NAME     one of ${names.join(', ')}
                  (may be repeated)
  --json FILE     also write every value as JSON
  --blank CSS     what a row is that isn't fetched yet (.row.is-blank)
`;

/** Reads the command line. Ends the process, with 2 on wrong usage and 0 after `--help`. */
export function readOptions(names: readonly string[]): PageBenchOptions {
  try {
    const { values } = parseArgs({
      options: {
        against: { type: 'string' },
        rounds: { type: 'string', default: '5' },
        events: { type: 'string', default: '60000' },
        captures: { type: 'string', default: '100' },
        only: { type: 'string', multiple: true, default: [] },
        json: { type: 'string' },
        blank: { type: 'string', default: '.row.is-blank' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(usage(names));
      process.exit(0);
    }
    const unknown = values.only.filter((name) => !names.includes(name));
    if (unknown.length > 0) throw new Error(`there is no measurement ${unknown.join(', ')}`);
    return {
      against: values.against ?? null,
      rounds: wholeNumber(values.rounds),
      events: wholeNumber(values.events),
      captures: wholeNumber(values.captures),
      only: values.only,
      json: values.json ?? null,
      blank: values.blank,
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage(names)}`);
    process.exit(2);
  }
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${text} is no number of times`);
  return value;
}
