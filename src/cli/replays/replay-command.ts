import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import { eventId, instant, repeated, someText } from '../arguments.ts';
import { type Remote, remote, withRemote } from '../client/remote-command.ts';
import { hasCode, usageError, withHint } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { type EventFilterFlags, eventFilter } from '../events/event-filter-flags.ts';
import { parseForwardTarget } from '../listen/forward/forward-target.ts';
import {
  checkResign,
  checkSigningSecret,
  resignOption,
  responseTimeoutOption,
  signingSecretOption,
} from '../listen/forward-options.ts';
import { replayById } from './replay-by-id.ts';
import { addBulkFlags, addDestinationFlag, replayMatching } from './replay-matching.ts';

const NAMED = 'Options with event ids:';
const BULK = 'Options of a bulk replay:';

const NOTES = `
The server delivers an event again: to its endpoint's present destinations, to
some of them (--destination), or once to any URL (--to-url), without headers
and secret. --to sends it from this machine, as listen does: the same method,
headers and bytes, with path and query appended. The server's deliveries do not
change then. TARGET is a port, a /path on port 3000, or a URL.

A bulk replay runs on the server, the oldest event first. hookrelay replays
follows and cancels it.`;

const addNamedFlags = commandPart((command) =>
  command
    .optionsGroup(NAMED)
    .option(
      // With event ids, the value is a target. In a bulk replay, it is a time.
      '--to <target>',
      'send from this machine to a port, a /path or a URL; in a bulk replay: only events received before this time',
      someText,
    )
    .option('--to-url <url>', 'deliver once to this URL, from the server', someText)
    .option('--verbose', "with --to: print the answer's headers and body")
    .addOption(signingSecretOption('with --to: sign requests by Standard Webhooks'))
    .addOption(resignOption('with --to: '))
    .addOption(responseTimeoutOption('with --to: deadline of a response')),
);

const addReplayFlags = commandPart((command) =>
  addBulkFlags(
    addNamedFlags(
      addDestinationFlag(command).option(
        '--json',
        'print JSON, as the API answers it: one object per line',
      ),
    ).optionsGroup(BULK),
  ).optionsGroup(''),
);

type ReplayFlags = FlagsOf<typeof addReplayFlags>;

export function addReplayCommand(program: Command): void {
  remote(
    addReplayFlags(
      program
        .command('replay')
        .description('deliver events again, to destinations or to this machine')
        .argument('[event...]', 'event ids', repeated(eventId))
        .addHelpText('after', NOTES),
    ),
    'replay evt_01kxyz…',
    'replay evt_01kxyz… --destination billing',
    'replay evt_01kxyz… --to http://localhost:3000 --verbose',
    'replay evt_01kxyz… --to http://localhost:3000 --resign',
    'replay evt_01kxyz… --to-url https://example.com/hooks',
    'replay --endpoint orders --status dead_letter --from 24h --dry-run',
    'replay --endpoint orders --status dead_letter --from 24h --yes',
    "replay --endpoint orders --where 'body.type^=invoice.' --destination billing",
    'replay --endpoint orders --filtered-by billing',
  ).action(withRemote(run));
}

async function run(
  context: Remote,
  events: string[],
  chosen: ReplayFlags,
  command: CommandUnknownOpts,
): Promise<void> {
  const given = command.options.filter(
    (option) => command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  const flags = given.map(({ long }) => long as string);
  try {
    if (events.length === 0) await replayBulk(context, chosen, flags);
    else if (chosen.to === undefined) await replayNamed(context, events, chosen, flags);
    else await replayToHere(context, events, chosen, flags);
  } catch (error) {
    throw flags.includes('--url') ? withUrlHint(error) : error;
  }
}

/** Adds a hint about `--url`, because a person may have meant `--to-url`. */
function withUrlHint(error: unknown): unknown {
  if (!hasCode(error, 'not_logged_in', 'server_unreachable', 'api_error')) return error;
  return withHint(error, '--url names the server; --to-url delivers an event once to a URL');
}

const BULK_ONLY = ['--endpoint', '--dry-run', '--filtered-by'];
const HERE_ONLY = ['--verbose', '--secret', '--resign', '--timeout'];

/** @param given the long names of the typed flags */
async function replayNamed(
  context: Remote,
  events: string[],
  flags: ReplayFlags,
  given: readonly string[],
): Promise<void> {
  refuseBulkFlags(flags, given);
  const here = given.find((flag) => HERE_ONLY.includes(flag));
  if (here !== undefined) throw usageError(`${here} needs --to`);
  if (flags.toUrl !== undefined && flags.destination) {
    throw usageError('--to-url and --destination exclude each other');
  }
  await replayById(context, events, flags);
}

async function replayToHere(
  context: Remote,
  events: string[],
  flags: ReplayFlags,
  given: readonly string[],
): Promise<void> {
  const { to = '', ...others } = flags;
  refuseBulkFlags(others, given);
  const elsewhere = given.find((flag) => flag === '--to-url' || flag === '--destination');
  if (elsewhere !== undefined) throw usageError(`--to and ${elsewhere} exclude each other`);
  const { secret = null, timeout: timeoutMs, verbose = false, resign = false } = flags;
  checkSigningSecret(flags.secret);
  checkResign(flags);
  const target = argument('--to', to, parseForwardTarget);
  // Import late, because other replays don't need the code that sends requests.
  const { replayHere } = await import('./replay-here.ts');
  await replayHere(context, events, { target, secret, resign, timeoutMs, verbose });
}

async function replayBulk(
  context: Remote,
  flags: ReplayFlags,
  given: readonly string[],
): Promise<void> {
  const named = given.find((flag) => flag === '--to-url' || HERE_ONLY.includes(flag));
  if (named !== undefined) throw usageError(`${named} needs event ids`);
  if (flags.destination && flags.filteredBy !== undefined) {
    throw usageError('--destination and --filtered-by exclude each other');
  }
  const { to, ...others } = flags;
  await replayMatching(context, {
    ...others,
    ...(to !== undefined && { to: argument('--to', to, instant) }),
  });
}

function refuseBulkFlags(flags: EventFilterFlags, given: readonly string[]): void {
  const isBulk = given.some((flag) => BULK_ONLY.includes(flag));
  if (!isBulk && Object.keys(eventFilter(flags)).length === 0) return;
  throw usageError(`${BULK_ONLY.join(', ')} and filters cannot be used with event ids`);
}

/** Throws a usage error. */
function argument<T>(flag: string, value: string, parse: (value: string) => T): T {
  try {
    return parse(value);
  } catch (error) {
    throw usageError(`${flag}: ${(error as Error).message}`);
  }
}
