import { type Command, Option } from 'commander';
import { serverUrl } from '../arguments.ts';
import { Output } from '../terminal/output.ts';
import { showProgress } from '../terminal/progress.ts';
import type { ApiClient } from './api-client.ts';
import { DEFAULT_PROFILE, ProfileFile } from './profile.ts';

/** What a command on the HTTP API works with. */
export interface Remote {
  client: ApiClient;
  out: Output;
  profile: ProfileFile;
}

interface RemoteFlags {
  url?: string;
  profile: string;
  json?: boolean;
}

/**
 * Gives a command the options that all commands on the HTTP API have, and examples
 * to its help. One that prints other JSON than the API's brings its own `--json`.
 */
export function remote(command: Command, ...examples: string[]): Command {
  const hasJson = command.options.some(({ long }) => long === '--json');
  if (!hasJson) command.option('--json', 'print JSON, as the API answers it');
  return command
    .addOption(
      new Option('--url <url>', "the server, if it isn't the profile's")
        .env('HOOKRELAY_URL')
        .argParser(serverUrl),
    )
    .addOption(
      new Option('--profile <name>', 'which login to use')
        .env('HOOKRELAY_PROFILE')
        .default(DEFAULT_PROFILE),
    )
    .addHelpText('after', examplesText(examples));
}

export function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((line) => `  $ hookrelay ${line}\n`).join('')}`;
}

/**
 * An action of such a command, as commander calls it: arguments, then options.
 *
 * @param run gets what it works with, then the arguments and the options
 */
export function withRemote<A extends unknown[]>(
  run: (remote: Remote, ...args: A) => Promise<void>,
  how: ConnectOptions = {},
): (...params: unknown[]) => Promise<void> {
  return async (...params) => {
    const command = params.at(-1) as Command;
    await run(await connect(command, how), ...(params.slice(0, -1) as A));
  };
}

interface ConnectOptions {
  /** By the profile's session only: login and logout are about that. */
  asPerson?: boolean;
  /** The profile need not exist: the command writes it. */
  makesProfile?: boolean;
}

/** Throws `config_invalid` for a profile that is named and does not exist. */
async function connect(
  command: Command,
  { asPerson = false, makesProfile = false }: ConnectOptions,
): Promise<Remote> {
  const flags = command.opts<RemoteFlags>();
  const profile = new ProfileFile(flags.profile);
  const source = (name: string) => command.getOptionValueSource(name);
  // Whoever names a profile in so many words means it, whatever the environment holds.
  const namesProfile = source('profile') === 'cli';
  const hasToken = !namesProfile && !asPerson && process.env.HOOKRELAY_TOKEN !== undefined;
  if (!makesProfile && !hasToken && source('profile') !== 'default' && profile.read() === null) {
    throw profile.missing();
  }
  const saved = namesProfile && source('url') === 'env' ? profile.read() : null;
  const url = saved ? saved.url : flags.url;
  // Only now: --help and wrong usage needn't load the HTTP client.
  const { ApiClient, connectionOf } = await import('./api-client.ts');
  const connection = connectionOf(
    profile,
    url === undefined ? {} : { url },
    // HOOKRELAY_URL came with the flags; what is left is the token.
    hasToken ? process.env : {},
  );
  const client = new ApiClient({
    ...connection,
    whileWaiting: (answer) => showProgress(`waiting for ${connection.url}`, answer),
  });
  return { client, out: new Output({ json: flags.json === true }), profile };
}
