import type { EndpointAnswer } from '../../api/endpoints/endpoint-answer.ts';
import { machineName } from '../accounts/machine-account.ts';
import type { ApiClient } from '../client/api-client.ts';
import { chooseStream } from '../streams/choose-stream.ts';
import { StreamedGet } from '../streams/streamed-get.ts';
import { endSignal } from '../terminal/end-signal.ts';
import { Output } from '../terminal/output.ts';
import { chooseServer, type ServerChoice } from './choose-server.ts';
import { resignByServer } from './forward/resign-by-server.ts';
import type { RouteRule } from './forward/route-rule.ts';
import { ListenRun } from './listen-run.ts';
import { JsonView } from './views/json-view.ts';
import type { ListenView } from './views/listen-view.ts';
import { PlainView } from './views/plain-view.ts';
import { ScreenView } from './views/screen-view.ts';

export interface ListenFlags extends ServerChoice {
  /** Names, ids or capture URLs. Empty for all endpoints. */
  endpoints: string[];
  rules: RouteRule[];
  /** An absolute URL. Null if only routes have targets. */
  target: string | null;
  /** Null if requests get no signature. */
  secret: string | null;
  /** Signs each event as its provider does. */
  resign: boolean;
  /** ISO 8601. Undefined means now. */
  since: string | undefined;
  timeoutMs: number;
  json: boolean;
  /** Prints lines, even on a terminal. */
  plain: boolean;
}

/** A clean-up step. The steps run in reverse order. */
type Undo = () => unknown;

/**
 * Forwards events to local targets until a signal or a key ends it. If no server is named and this
 * machine runs none, starts one.
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

    const client = await chooseServer(flags, note, (stop) => undo.push(stop));
    const get = new StreamedGet(client);
    undo.push(() => get.close());
    const followed = await chooseStream(client, flags.endpoints);
    const endpoints = followed.endpoints ?? (await endpointsOf(client, note));
    const resign = flags.resign ? resignByServer(client, ending.signal) : null;
    run = new ListenRun({ ...flags, resign, get, view, followed, endpoints, ending });
    const { close } = run;
    // The run closes before the connections that it uses.
    undo.push(close);
    await run.follow();
  } catch (error) {
    if (!ending.signal.aborted || (run as ListenRun | null)?.hasFailed) throw error;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** Returns the account's endpoints. Creates one if the account has none. */
async function endpointsOf(
  client: ApiClient,
  note: (text: string) => void,
): Promise<EndpointAnswer[]> {
  const endpoints = await client.call('GET /api/endpoints');
  if (endpoints.length > 0) return endpoints;
  const name = machineName();
  const made = await client.call('POST /api/endpoints', { body: { name } });
  note(`made the endpoint ${name}`);
  return [made];
}

/** Returns whether a screen works: stdin and stdout are terminals with a movable cursor. */
function isScreen({ plain }: ListenFlags): boolean {
  const { stdin, stdout, env } = process;
  return !plain && stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb';
}
