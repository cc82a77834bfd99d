import { type Command, InvalidArgumentError, Option } from 'commander';
import { resolveConfig, type ServeFlags, serveOptions } from '../../config.ts';
import { isSigningSecret, SIGNING_SECRETS } from '../../core/secrets/signature.ts';
import { parseDuration } from '../../core/units/duration.ts';
import { someText } from '../arguments.ts';
import { ProfileFile } from '../client/profile.ts';
import { remote } from '../client/remote-command.ts';
import { usageError } from '../command-error.ts';
import { parseRoutes, type RouteRule } from '../listen/forward/route-rule.ts';
import { DEFAULT_TARGET, parseTarget } from '../listen/forward/target.ts';
import { endpointOption, jsonLinesOption, sinceOption } from './tail-command.ts';

/** A handler in a debugger may stand at a breakpoint for long. */
const DEFAULT_TIMEOUT = '5m';
const MAX_TIMEOUT_MS = 60 * 60_000;
/** Of serve's options, those that a laptop needs; the others are taken too. */
const SHOWN_SERVE_OPTIONS = ['port', 'dataDir', 'tunnel'];

const NOTES = `
TARGET is a port, a /path on port 3000, or a URL. An event goes there as a
delivery would: same method, headers and bytes, its path and query appended.

A rule is 'CONDITION -> TARGET' (or with →); the first that fits decides, and
what fits none goes to TARGET, if one is given. A condition is FIELD=TEXT, where
* stands for any text and FIELD is method, path, endpoint, provider, type,
header.NAME or body.NAME (below objects: body.data.type); several are joined
by ' & '.

Each event is tried once. When the target is down, events are stored by the
server all the same: send them again by key (r, R), or later with --since. What
the server itself delivers is not touched by any of this.

With no server named (--url, HOOKRELAY_URL, a login), listen uses the one that
runs on the data directory, or runs one itself, with an account and an endpoint
for this machine. It takes all options of serve for that; where a server is named
or runs already, those that it may not have are refused.

With --json each line is an object with a "type": ready, event, forwarded,
reconnected, reset. Ctrl-C ends it, with exit code 0.`;

interface CommandFlags extends ServeFlags {
  endpoint: string[];
  route: RouteRule[];
  secret?: string;
  since?: string;
  timeout: number;
  plain?: boolean;
  url?: string;
  profile: string;
  json?: boolean;
}

/** `hookrelay listen`: live events to a local port. */
export function addListenCommand(program: Command): void {
  const command = program
    .command('listen')
    .description('forward events to a local port as they are captured')
    .argument('[target]', 'where to: a port, a /path, or a URL (default: 3000)', parseTarget)
    .addOption(endpointOption('whose events (may be repeated)'))
    .addOption(
      new Option('--route <rule>', "send what fits elsewhere: 'path=/github* -> 3001' (repeatable)")
        .argParser(parseRoutes)
        .default([], 'none'),
    )
    .addOption(
      new Option('--secret <secret>', 'sign as Standard Webhooks')
        .env('HOOKRELAY_LISTEN_SECRET')
        .argParser(someText),
    )
    .addOption(sinceOption('first forward what came since then'))
    .addOption(
      new Option('--timeout <duration>', 'how long a response may take')
        .argParser(timeout)
        .default(timeout(DEFAULT_TIMEOUT), DEFAULT_TIMEOUT),
    )
    .option('--plain', 'print lines, no screen and no keys')
    .addOption(jsonLinesOption())
    .addHelpText('after', NOTES)
    .action(run);
  remote(
    command,
    'listen 3000',
    'listen 3000/webhooks --endpoint orders --secret whsec_…',
    "listen --route 'provider=github -> 3001' --route 'body.type=invoice.* -> 3002/stripe'",
  );
  for (const option of serveOptions()) {
    const isShown = SHOWN_SERVE_OPTIONS.includes(option.attributeName());
    command.addOption(option.hideHelp(!isShown).helpGroup('Options of the server it starts:'));
  }
}

async function run(
  target: string | undefined,
  flags: CommandFlags,
  command: Command,
): Promise<void> {
  const source = (name: string) => command.getOptionValueSource(name);
  // As for all commands: whoever names a profile means it, whatever the environment holds.
  const namesProfile = source('profile') === 'cli';
  const url = namesProfile && source('url') === 'env' ? undefined : flags.url;
  const token = namesProfile ? undefined : process.env.HOOKRELAY_TOKEN;
  // Not by the option's parser: its errors print the value.
  if (!isSigningSecret(flags.secret ?? '')) throw usageError(`--secret ${SIGNING_SECRETS}`);
  // Only now: --help needn't load the HTTP client.
  const { listen } = await import('../listen/listen.ts');
  await listen({
    endpoints: flags.endpoint,
    rules: flags.route,
    target: target ?? (flags.route.length > 0 ? null : DEFAULT_TARGET),
    secret: flags.secret ?? null,
    since: flags.since,
    timeoutMs: flags.timeout,
    json: flags.json === true,
    plain: flags.plain === true,
    url: url ?? null,
    token,
    profile: new ProfileFile(flags.profile),
    config: resolveConfig(flags),
    serverOptions: serveOptions()
      .filter((option) => source(option.attributeName()) === 'cli')
      .map(({ long }) => long as string),
  });
}

function timeout(value: string): number {
  const ms = parseDuration(value);
  if (ms !== null && ms >= 1 && ms <= MAX_TIMEOUT_MS) return ms;
  throw new InvalidArgumentError('Expected a duration such as 10s or 5m, at most 1h.');
}
