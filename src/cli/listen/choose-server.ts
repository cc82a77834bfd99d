import type { Config } from '../../config.ts';
import { HookrelayError } from '../../core/errors.ts';
import { listeningUrl } from '../../core/http/listening-url.ts';
import { ApiClient, connectionOf } from '../client/api-client.ts';
import type { Profile, ProfileFile } from '../client/profile.ts';
import { usageError } from '../command-error.ts';
import { isWelcome, localServer, usingNote } from './local-server.ts';
import { MachineAccountFile, signedIn } from './machine-account.ts';
import { ADDRESS_OPTIONS } from './server-options.ts';

/** What tells which server `listen` uses. */
export interface ServerChoice {
  /** Of the flag or the environment; null when neither names a server. */
  url: string | null;
  /** `HOOKRELAY_TOKEN`. */
  token: string | undefined;
  profile: ProfileFile;
  /** Of the server that is started when there is none. */
  config: Config;
  /** Options of that server that stand on the command line, as `--port`. */
  serverOptions: readonly string[];
}

/**
 * A client that is logged in at the server named, at the one that the profile is
 * logged in to, or at this machine's, which is started where none runs.
 *
 * Options of a server that can't apply are wrong usage: a capture URL that is
 * not public after `--tunnel`, or events in another directory than `--data-dir`,
 * would be noticed late. What the environment sets for servers is not typed for
 * this command, and gives way.
 *
 * @param onStarted is given what stops a server that was started
 */
export async function chooseServer(
  choice: ServerChoice,
  note: (text: string) => void,
  onStarted: (stop: () => Promise<void>) => void,
): Promise<ApiClient> {
  const { profile, token, config, serverOptions } = choice;
  const connection = (url: string) => connectionOf(profile, { url }, { HOOKRELAY_TOKEN: token });
  if (choice.url !== null) {
    refuseOptions(choice, `--url (HOOKRELAY_URL) names ${choice.url}`, 'leave one of them out');
    return new ApiClient(connection(choice.url));
  }
  const account = new MachineAccountFile(profile);
  const saved = profile.read();
  if (saved !== null && isElsewhere(saved, account, config)) {
    refuseOptions(
      choice,
      `profile ${profile.name} is logged in to ${saved.url}`,
      `leave ${serverOptions.length > 1 ? 'them' : 'it'} out, or use another profile, such as --profile local`,
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

/**
 * Whether a login is at a server that `listen` has no business to start: it is
 * neither one that `listen` made itself, nor at the address that a server of this
 * machine has by default.
 */
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

/** The client, once its server has answered. Throws `server_unreachable` with the ways on. */
async function reached(client: ApiClient, profile: ProfileFile): Promise<ApiClient> {
  try {
    await client.call('GET', '/api/me');
    return client;
  } catch (error) {
    if (!(error instanceof HookrelayError) || error.code !== 'server_unreachable') throw error;
    throw new HookrelayError(error.code, error.message, {
      hint:
        `profile ${profile.name} is logged in there: start that server, or use one on this ` +
        'machine with hookrelay listen --profile local',
      cause: error,
    });
  }
}
