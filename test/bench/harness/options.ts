import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';

export interface Options {
  quick: boolean;
  /** Names of measurements; empty means all. */
  only: string[];
  json: string | null;
  dir: string;
  load: 'wrk' | 'undici' | null;
  profileDir: string | null;
}

const usage = (names: string[]) => `npm run bench -- [options]

  --quick        small sizes, little more than a minute; targets are not judged
  --only NAME    one of ${names.join(', ')}
                 (may be repeated)
  --json FILE    also write the result as JSON
  --dir DIR      where data directories go, about 15 GB (the system's temporary directory)
  --load NAME    wrk or undici (wrk where it is installed)
  --profile DIR  the servers write CPU profiles there (time for which one is stopped,
                 while something else is measured, counts to what it was doing)
`;

/** Reads the command line. Ends the process, with 2 on wrong usage and 0 after `--help`. */
export function readOptions(names: string[]): Options {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        json: { type: 'string' },
        dir: { type: 'string', default: tmpdir() },
        load: { type: 'string' },
        profile: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(usage(names));
      process.exit(0);
    }
    const { quick, only, dir, load = null } = values;
    const unknown = only.filter((name) => !names.includes(name));
    if (unknown.length > 0) throw new Error(`there is no measurement ${unknown.join(', ')}`);
    if (load !== null && load !== 'wrk' && load !== 'undici') {
      throw new Error('--load takes wrk or undici');
    }
    return {
      quick,
      only,
      json: values.json ?? null,
      dir,
      load,
      profileDir: values.profile ?? null,
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage(names)}`);
    process.exit(2);
  }
}
