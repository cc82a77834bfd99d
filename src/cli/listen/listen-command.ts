import { type Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { resolveConfig } from '../../config/config.ts';
import {
  addSettings,
  SETTING_NAMES,
  type ServeFlags,
  serveOptions,
} from '../../config/settings.ts';
import { checkRule } from '../check-rule.ts';
import { ProfileFile } from '../client/profile.ts';
import { remote, type ServerFlags } from '../client/remote-command.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { endpointOption, jsonLinesOption, sinceOption } from '../streams/tail-command.ts';
import { DEFAULT_FORWARD_TARGET, parseForwardTarget } from './forward/forward-target.ts';
import { parseRoutes, type RouteRule } from './forward/route-rule.ts';
import {
  checkResign,
  checkSigningSecret,
  resignOption,
  responseTimeoutOption,
  signingSecretOption,
} from './forward-options.ts';

/** Options of `serve` in the help. `listen` also takes the other options of `serve`. */
const SHOWN_SERVE_OPTIONS = ['port', 'dataDir', 'tunnel'];

const NOTES = `
TARGET is a port, a /path on port 3000, or a URL. listen forwards an event as a
delivery does: same method, headers and bytes, with path and query appended.

A route is 'CONDITION -> TARGET' (or with →). The first route that matches
decides. An event that matches no route goes to TARGET, if there is one. A
condition is FIELD=TEXT, and * matches any text. FIELD is method, path,
endpoint, provider, type, header.NAME or body.NAME (nested: body.data.type). ' &
' joins conditions. The last condition may be where RULE, with a rule as
destinations have it: 'endpoint=shop & where body.amount>=1000 -> 3001'.

listen tries each event once. While the target is down, the server stores the
events: send them again with the keys r and R, or later with --since. The
server's own deliveries do not change. A line says when the breaker of a
destination opens, and when the destination answers again.

listen uses the server that you name (--url, HOOKRELAY_URL, a login). Otherwise
it uses the server that runs on the data directory, or starts one with an
account and an endpoint for this machine. It then takes all options of serve. It
refuses options that a named or running server may lack.

With --json each line is an object with a "type": ready, event, forwarded,
health, reconnected, reset. Ctrl-C ends listen with exit code 0.`;

const addForwardFlags = commandPart((command) =>
  command
    .addOption(endpointOption('forward events of this endpoint (repeatable)'))
    .addOption(
      new Option(
        '--route <rule>',
        "forward some events elsewhere: 'path=/github* -> 3001' (repeatable)",
      )
        .argParser(parseRoutes)
        .default<RouteRule[]>([], 'none'),
    )
    .addOption(signingSecretOption('sign requests by Standard Webhooks'))
    .addOption(resignOption())
    .addOption(sinceOption('also forward events since then'))
    .addOption(responseTimeoutOption('deadline of a response'))
    .option('--plain', 'print lines instead of a screen with keys')
    .addOption(jsonLinesOption()),
);

export function addListenCommand(program: Command): void {
  const command = remote(
    addForwardFlags(
      program
        .command('listen')
        .description('forward events to a local port as they are captured')
        .argument(
          '[target]',
          'port, /path or URL to forward to (default: 3000)',
          parseForwardTarget,
        )
        .addHelpText('after', NOTES),
    ),
    'listen 3000',
    'listen 3000/webhooks --endpoint orders --secret whsec_…',
    "listen --route 'provider=github -> 3001' --route 'body.type=invoice.* -> 3002/stripe'",
    "listen 3000 --route 'where body.amount>=1000 and body.currency=eur -> 3001'",
  );
  addSettings(command, SETTING_NAMES, (option) =>
    option
      .hideHelp(!SHOWN_SERVE_OPTIONS.includes(option.attributeName()))
      .helpGroup('Options of a server that listen starts:'),
  ).action(run);
}

async function run(
  target: string | undefined,
  flags: FlagsOf<typeof addForwardFlags> & ServerFlags & ServeFlags,
  command: CommandUnknownOpts,
): Promise<void> {
  const source = (name: string) => command.getOptionValueSource(name);
  // `--profile` overrides the environment, as in every command.
  const namesProfile = source('profile') === 'cli';
  const url = namesProfile && source('url') === 'env' ? undefined : flags.url;
  const token = namesProfile ? undefined : process.env.HOOKRELAY_TOKEN;
  checkSigningSecret(flags.secret);
  checkResign(flags);
  for (const { where } of flags.route) if (where !== null) await checkRule(where, '--route');
  // Import late, because `--help` doesn't need the HTTP client.
  const { listen } = await import('./listen.ts');
  await listen({
    endpoints: flags.endpoint,
    rules: flags.route,
    target: target ?? (flags.route.length > 0 ? null : DEFAULT_FORWARD_TARGET),
    secret: flags.secret ?? null,
    resign: flags.resign === true,
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
