import { type Command, Option } from '@commander-js/extra-typings';
import { EVENT_STATUS } from '../../core/model.ts';
import { instant, repeated } from '../arguments.ts';
import { checkRule } from '../check-rule.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import { remote, withRemote } from '../client/remote-command.ts';
import { warnOfValues } from '../client/unfit-values.ts';
import { addRuleFilters } from '../events/event-filter-flags.ts';

const NOTES = `
Ctrl-C ends tail with exit code 0. tail reconnects after a lost connection, for
as long as it takes, and then shows the events that it missed.

A line says when the breaker of a destination opens, so that its deliveries
wait, and when the destination answers again.

With --json each line is an object with a "type": ready, event, attempt (with
--attempts), health (a destination is healthy, failing or open now), reconnected
(after "missed" late events), and reset (the server has another database now).`;

export function addTailCommand(program: Command): void {
  const command = addRuleFilters(
    program
      .command('tail')
      .description('show events as they are captured')
      .argument('[endpoint]', "the endpoint's name, id or capture URL (default: all)")
      .addOption(endpointOption('follow this endpoint too (repeatable)'))
      .option('--attempts', 'show each delivery attempt too')
      .addOption(sinceOption('first show events since then'))
      .addOption(
        new Option('--status <status>', 'only events that reach this status').choices(
          EVENT_STATUS.names,
        ),
      ),
  )
    .option('--exit-on-disconnect', 'exit with 1 when the connection is lost')
    .addOption(jsonLinesOption())
    .addHelpText('after', NOTES);
  remote(
    command,
    'tail',
    'tail orders --since 10m --attempts',
    "tail --where 'provider=stripe and body.livemode=true'",
    `tail --json --status dead_letter | jq -r 'select(.type == "event").id'`,
  ).action(
    withRemote(async (connected, endpoint, flags) => {
      const { attempts = false, since, status, where, type, exitOnDisconnect = false } = flags;
      if (where !== undefined) await checkRule(where, '--where');
      // Import late, because `--help` doesn't need the HTTP client.
      const { tail } = await import('./tail.ts');
      const endpoints = [...(endpoint === undefined ? [] : [endpoint]), ...flags.endpoint];
      for (const reference of where === undefined ? [] : endpoints) {
        await warnOfValues(connected, (await findEndpoint(connected.client, reference)).id, where);
      }
      await tail(connected, {
        ...{ endpoint: endpoints, attempts, since, status, where, type, exitOnDisconnect },
      });
    }),
  );
}

export function jsonLinesOption() {
  return new Option('--json', 'print JSON, one object per line');
}

export function endpointOption(about: string) {
  return new Option('--endpoint <endpoint>', about)
    .argParser(repeated())
    .default<string[]>([], 'all');
}

export function sinceOption(about: string) {
  return new Option('--since <time>', `${about} (a time, or 10m for ten minutes ago)`).argParser(
    instant,
  );
}
