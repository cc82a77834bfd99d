import type { Endpoint } from '../../api-types.ts';
import type { Config } from '../../config.ts';
import { listeningUrl } from '../../core/listening-url.ts';
import { ApiClient, connectionOf } from '../api-client.ts';
import { Output } from '../output.ts';
import type { ProfileFile } from '../profile.ts';
import { endSignal } from './end-signal.ts';
import { JsonView } from './json-view.ts';
import { ListenRun } from './listen-run.ts';
import type { ListenView } from './listen-view.ts';
import { isWelcome, localServer, usingNote } from './local-server.ts';
import { machineName, signedIn } from './machine-account.ts';
import { PlainView } from './plain-view.ts';
import type { RouteRule } from './route-rule.ts';
import { ScreenView } from './screen-view.ts';
import { StreamedGet } from './streamed-get.ts';
import { chooseStream } from './streams.ts';

export interface ListenFlags {
  /** Names, ids or capture URLs; empty for all endpoints. */
  endpoints: string[];
  rules: RouteRule[];
  /** Absolute URL; null when only rules have targets. */
  target: string | null;
  /** Null for no signature. */
  secret: string | null;
  /** ISO 8601; now when undefined. */
  since: string | undefined;
  timeoutMs: number;
  json: boolean;
  /** Lines, on a terminal too. */
  plain: boolean;
  /** Of the flag or the environment; null when neither names a server. */
  url: string | null;
  /** `HOOKRELAY_TOKEN`. */
  token: string | undefined;
  profile: ProfileFile;
  /** Of the server that is started when there is none. */
  config: Config;
}

/** What must be undone at the end, in reverse order. */
type Undo = () => unknown;

/**
 * Forwards what is captured to local targets until a signal or a key ends it.
 * Where no server is named and none runs on this machine, it runs one itself.
 */
export async function listen(flags: ListenFlags): Promise<void> {
  const ending = endSignal();
  const undo: Undo[] = [() => ending.release()];
  let run: ListenRun | null = null;
  try {
    const out = new Output({ json: flags.json });
    const view: ListenView = flags.json
      ? new JsonView(out)
      : isScreen(flags)
        ? new ScreenView({
            replay: ({ event }) => run?.replay(event),
            details: async (row) => run?.details(row) ?? [],
            curl: async (row) => run?.curl(row) ?? '',
            quit: () => ending.end(),
          })
        : new PlainView(out);
    undo.push(() => view.close());
    const note = (text: string) => view.note(text);

    const client = await connect(flags, note, undo);
    const get = new StreamedGet(client);
    undo.push(() => get.close());
    const followed = await chooseStream(client, flags.endpoints);
    const endpoints = followed.endpoints ?? (await endpointsOf(client, note));
    run = new ListenRun({ ...flags, get, view, followed, endpoints, ending });
    const { close } = run;
    // Before the connections that it uses.
    undo.push(close);
    await run.follow();
  } catch (error) {
    if (!ending.signal.aborted || (run as ListenRun | null)?.hasFailed) throw error;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** A client that is logged in, at the server named or at this machine's. */
async function connect(
  flags: ListenFlags,
  note: (text: string) => void,
  undo: Undo[],
): Promise<ApiClient> {
  const { profile, token, config } = flags;
  const connection = (url: string) => connectionOf(profile, { url }, { HOOKRELAY_TOKEN: token });
  const url = flags.url ?? profile.read()?.url ?? null;
  // A profile of this machine's own address doesn't say that a server runs there.
  if (flags.url !== null || (url !== null && url !== listeningUrl(config))) {
    return new ApiClient(connection(url as string));
  }
  const local = new ApiClient(connection(listeningUrl(config)));
  if (await isWelcome(local)) {
    note(usingNote(local.url));
    return local;
  }
  const server = await localServer(config, profile, note);
  undo.push(() => server.stop());
  return signedIn(connection(server.url), note);
}

/** All of the account's endpoints; one is made where there is none. */
async function endpointsOf(client: ApiClient, note: (text: string) => void): Promise<Endpoint[]> {
  const endpoints = await client.call<Endpoint[]>('GET', '/api/endpoints');
  if (endpoints.length > 0) return endpoints;
  const name = machineName();
  const made = await client.call<Endpoint>('POST', '/api/endpoints', { body: { name } });
  note(`made the endpoint ${name}`);
  return [made];
}

/** Keys and a screen need a terminal on both sides that can move its cursor. */
function isScreen({ plain }: ListenFlags): boolean {
  const { stdin, stdout, env } = process;
  return !plain && stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb';
}
