import type { Config } from '../../config/config.ts';
import { listeningUrl } from '../../core/http/listening-url.ts';
import { MachineAccountFile, signedIn } from '../accounts/machine-account.ts';
import { ApiClient, connectionOf } from '../client/api-client.ts';
import type { Profile, ProfileFile } from '../client/profile.ts';
import { hasCode, usageError, withHint } from '../command-error.ts';
import { isWelcome, localServer, usingNote } from '../serve/local-server.ts';
import { ADDRESS_OPTIONS } from '../serve/server-options.ts';

export interface ServerChoice {
  /** The URL of the flag or of the environment; null without both. */
  url: string | null;
  token: string | undefined;
  profile: ProfileFile;
  /** Configuration of a server that `listen` starts. */
  config: Config;
  /** Options of that server on the command line, such as `--port`. */
  serverOptions: readonly string[];
}

/**
 * Returns a client for the server that `--url` or HOOKRELAY_URL names, otherwise the profile's
 * server, otherwise this machine's server. Starts a server if this machine runs none. Logs in to
 * this machine's server.
 *
 * Throws a usage error for typed server options that would have no effect, such as `--tunnel`.
 * Ignores such options in the environment, because they weren't set for this command.
 *
 * @param onStarted gets the function that stops a started server
 */
export async function chooseServer(
  choice: ServerChoice,
  note: (text: string) => void,
  onStarted: (stop: () => Promise<void>) => void,
): Promise<ApiClient> {
  const { profile, token, config, serverOptions } = choice;
  const connection = (url: string) => connectionOf(profile, { url }, { HOOKRELAY_TOKEN: token });
  if (choice.url !== null) {
    refuseOptions(choice, `--url (HOOKRELAY_URL) names ${choice.url}`, 'remove one of them');
    return new ApiClient(connection(choice.url));
  }
  const account = new MachineAccountFile(profile);
  const saved = profile.read();
  if (saved !== null && isElsewhere(saved, account, config)) {
    refuseOptions(
      choice,
      `profile ${profile.name} is logged in to ${saved.url}`,
      `remove ${serverOptions.length > 1 ? 'them' : 'it'}, or use another profile, such as --profile local`,
    );
    return reached(new ApiClient(connection(saved.url)), profile);
  }
  const local = new ApiClient(connection(listeningUrl(config)));
  const isOnlyAddress = serverOptions.every((option) => ADDRESS_OPTIONS.has(option));
  if (isOnlyAddress && config.port !== 0 && (await isWelcome(local))) {
    note(usingNote(local.url));
    return local;
  }
  const server = await localServer(config, serverOptions, profile, note);
  onStarted(() => server.stop());
  return signedIn(connection(server.url), account, config, note);
}

/** A login is local if `listen` made it, or if its URL is this machine's address. */
function isElsewhere(saved: Profile, account: MachineAccountFile, config: Config): boolean {
  return saved.url !== listeningUrl(config) && !account.made(saved);
}

function refuseOptions({ serverOptions }: ServerChoice, why: string, hint: string): void {
  if (serverOptions.length === 0) return;
  const verb = serverOptions.length > 1 ? 'are' : 'is';
  throw usageError(
    `${serverOptions.join(', ')} ${verb} for a server that listen starts, but ${why}`,
    hint,
  );
}

/** Throws `server_unreachable` with a hint. */
async function reached(client: ApiClient, profile: ProfileFile): Promise<ApiClient> {
  try {
    await client.call('GET /api/me');
    return client;
  } catch (error) {
    if (!hasCode(error, 'server_unreachable')) throw error;
    throw withHint(
      error,
      `profile ${profile.name} is logged in there: start that server, or use one on this ` +
        'machine with hookrelay listen --profile local',
    );
  }
}
