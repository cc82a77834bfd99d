import {
  type Command,
  type CommandUnknownOpts,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import { serverUrl } from '../arguments.ts';
import { commandPart, type Declared, declared, type FlagsOf } from '../command-part.ts';
import { Output } from '../terminal/output.ts';
import { showProgress } from '../terminal/progress.ts';
import type { ApiClient } from './api-client.ts';
import { DEFAULT_PROFILE, ProfileFile } from './profile.ts';

export interface Remote {
  client: ApiClient;
  out: Output;
  profile: ProfileFile;
}

const addServerFlags = commandPart((command) =>
  command
    .addOption(
      new Option('--url <url>', "URL of the server (default: the profile's)")
        .env('HOOKRELAY_URL')
        .argParser(serverUrl),
    )
    .addOption(
      new Option('--profile <name>', 'name of the login to use')
        .env('HOOKRELAY_PROFILE')
        .default<string>(DEFAULT_PROFILE),
    ),
);

export type ServerFlags = FlagsOf<typeof addServerFlags>;

/** Keeps the command's own `--json`, which prints other JSON than the API's. */
export function remote<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
  ...examples: string[]
) {
  const hasJson = command.options.some(({ long }) => long === '--json');
  if (!hasJson) command.option('--json', 'print JSON, as the API answers it');
  return addServerFlags(command).addHelpText('after', examplesText(examples));
}

export function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((line) => `  $ hookrelay ${line}\n`).join('')}`;
}

/** @param run gets the context first, then commander's arguments and options */
export function withRemote<P extends [...unknown[], ServerFlags, CommandUnknownOpts]>(
  run: (remote: Remote, ...params: Declared<P>) => Promise<void>,
  how: ConnectOptions = {},
): (...params: P) => Promise<void> {
  return async (...params) => {
    const [flags, command] = params.slice(-2) as [ServerFlags, CommandUnknownOpts];
    await run(await connect(flags, command, how), ...declared(params));
  };
}

interface ConnectOptions {
  /** Uses the profile's session, never an API token. */
  asPerson?: boolean;
  /** Allows a missing profile, because the command creates it. */
  makesProfile?: boolean;
}

/** Throws `config_invalid` if the user has named a profile that doesn't exist. */
async function connect(
  flags: ServerFlags,
  command: CommandUnknownOpts,
  { asPerson = false, makesProfile = false }: ConnectOptions,
): Promise<Remote> {
  const profile = new ProfileFile(flags.profile);
  const source = (name: string) => command.getOptionValueSource(name);
  // --profile wins over the environment.
  const namesProfile = source('profile') === 'cli';
  const hasToken = !namesProfile && !asPerson && process.env.HOOKRELAY_TOKEN !== undefined;
  if (!makesProfile && !hasToken && source('profile') !== 'default' && profile.read() === null) {
    throw profile.missing();
  }
  const saved = namesProfile && source('url') === 'env' ? profile.read() : null;
  const url = saved ? saved.url : flags.url;
  // Import late, because `--help` and wrong usage don't need the HTTP client.
  const { ApiClient, connectionOf } = await import('./api-client.ts');
  const connection = connectionOf(
    profile,
    url === undefined ? {} : { url },
    // The flags already include HOOKRELAY_URL. Only the token comes from the environment.
    hasToken ? process.env : {},
  );
  const client = new ApiClient({
    ...connection,
    whileWaiting: (answer, waitingFor = `waiting for ${connection.url}`) =>
      showProgress(waitingFor, answer),
  });
  return { client, out: new Output({ json: command.opts().json === true }), profile };
}
