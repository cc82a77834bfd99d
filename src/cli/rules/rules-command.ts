import { type Command, Option } from '@commander-js/extra-typings';
import { eventId, repeated, wholeNumber } from '../arguments.ts';
import { DESTINATION_HELP } from '../client/destination-ref.ts';
import { ENDPOINT_HELP } from '../client/endpoint-ref.ts';
import { examplesText, remote, withRemote } from '../client/remote-command.ts';

const MAX_TRIED = 10_000;
const RULE_HELP = "such as 'body.type=invoice.paid and body.amount>=1000', or JSON";

export function addRulesCommand(program: Command): void {
  const group = program
    .command('rules')
    .description('which events a destination gets: try, versions, set')
    .addHelpText(
      'after',
      examplesText([
        "rules try orders 'body.type=invoice.paid' --destination billing",
        "rules set orders billing 'body.type=invoice.paid'",
      ]),
    );
  addTry(group);
  addVersions(group);
  addSet(group);
}

function addTry(group: Command): void {
  const command = group
    .command('try')
    .description('try a rule on captured events; nothing is changed')
    .argument('<endpoint>', ENDPOINT_HELP)
    .argument('[rule]', `${RULE_HELP} (default: the rule of --destination)`)
    .option('--destination <destination>', 'compare with the present rule of this destination')
    .addOption(
      new Option('--last <number>', `try the newest events, at most ${MAX_TRIED} (default: 1000)`)
        .argParser(wholeNumber(1, MAX_TRIED))
        .conflicts('event'),
    )
    .addOption(
      new Option('--event <event>', 'try this event (repeatable)')
        .argParser(repeated(eventId))
        .default<string[]>([], 'none'),
    );
  remote(
    command,
    "rules try orders 'body.amount>=5000'",
    "rules try orders 'body.amount>=5000' --destination billing --last 10000",
    "rules try orders 'type=invoice.paid' --event evt_01kxyz…",
  ).action(
    // Import late, because rules load a regex engine that `--help` doesn't need.
    withRemote(async (context, endpoint, rule, { destination, last, event }) => {
      const { runTry } = await import('./try-rule.ts');
      await runTry(context, endpoint, rule, { destination, last, event });
    }),
  );
}

function addVersions(group: Command): void {
  remote(
    group
      .command('versions')
      .description("list the versions of a destination's rule, newest first")
      .argument('<endpoint>', ENDPOINT_HELP)
      .argument('<destination>', DESTINATION_HELP),
    'rules versions orders billing',
  ).action(
    withRemote(async (context, endpoint, destination) => {
      const { listVersions } = await import('./rule-versions.ts');
      await listVersions(context, endpoint, destination);
    }),
  );
}

function addSet(group: Command): void {
  remote(
    group
      .command('set')
      .description('show what a rule would change, try it on the last 1000 events, and set it')
      .argument('<endpoint>', ENDPOINT_HELP)
      .argument('<destination>', DESTINATION_HELP)
      .argument('[rule]', RULE_HELP)
      .addOption(
        new Option('--version <number>', 'set this earlier version again').argParser(
          wholeNumber(1, Number.MAX_SAFE_INTEGER),
        ),
      )
      .option('--none', 'remove the rule: the destination gets every event')
      .option('--dry-run', 'show and try the rule, but do not set it')
      .option('--yes', 'set it also if past events have values that it cannot take')
      .option('--json', 'print JSON: the rule before and after, the trial, the new version'),
    "rules set orders billing 'body.amount>=5000' --dry-run",
    'rules set orders billing --version 2',
    'rules set orders billing --none',
  ).action(
    withRemote(
      async (
        context,
        endpoint,
        destination,
        rule,
        { version, none = false, dryRun = false, yes = false },
      ) => {
        const { setRule } = await import('./set-rule.ts');
        await setRule(context, endpoint, destination, rule, { version, none, dryRun, yes });
      },
    ),
  );
}
