import { type Command, Option } from 'commander';
import { EVENT_STATUSES } from '../../core/model.ts';
import { instant } from '../arguments.ts';
import { remote, withRemote } from '../client/remote-command.ts';
import type { TailFlags } from '../stream/tail.ts';

const NOTES = `
Ctrl-C ends it, with exit code 0. A lost connection is made again for as long as
it takes, and what was captured meanwhile is shown then.

With --json each line is an object with a "type": ready, event, attempt (with
--attempts), reconnected ("missed" events came before it, late), and reset (the
server is back with another database).`;

/** `hookrelay tail`: what is captured, as it is captured. */
export function addTailCommand(program: Command): void {
  const command = program
    .command('tail')
    .description('show events as they are captured, of all endpoints or of some')
    .argument('[endpoint]', 'its name, id or capture URL')
    .addOption(endpointOption('one more endpoint (may be repeated)'))
    .option('--attempts', 'show each delivery attempt too')
    .addOption(sinceOption('begin there'))
    .addOption(
      new Option('--status <status>', 'only events that come to this status').choices(
        EVENT_STATUSES,
      ),
    )
    .option('--exit-on-disconnect', 'exit with 1 when the connection is lost')
    .addOption(jsonLinesOption())
    .addHelpText('after', NOTES)
    .action(
      withRemote(async (connected, endpoint: string | undefined, flags: TailFlags) => {
        // Only now: --help needn't load the HTTP client.
        const { tail } = await import('../stream/tail.ts');
        const endpoints = [...(endpoint === undefined ? [] : [endpoint]), ...flags.endpoint];
        await tail(connected, { ...flags, endpoint: endpoints });
      }),
    );
  remote(
    command,
    'tail',
    'tail orders --since 10m --attempts',
    `tail --json --status dead_letter | jq -r 'select(.type == "event").id'`,
  );
}

/** `--json` of a command that goes on: an object for each thing that happens. */
export function jsonLinesOption(): Option {
  return new Option('--json', 'print JSON, an object a line');
}

/** `--endpoint`, as often as there are endpoints. */
export function endpointOption(about: string): Option {
  return new Option('--endpoint <endpoint>', about)
    .argParser((value: string, previous: string[]) => [...previous, value])
    .default([], 'all');
}

/** `--since`, as ISO 8601. */
export function sinceOption(about: string): Option {
  return new Option('--since <time>', `${about} (10m for ten minutes ago, or a time)`).argParser(
    instant,
  );
}
