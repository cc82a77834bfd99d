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
  /** Names, ids or capture URLs; empty for all endpoints. */
  endpoints: string[];
  rules: RouteRule[];
  /** An absolute URL; null if only routes have targets. */
  target: string | null;
  /** Null to send no signature. */
  secret: string | null;
  resign: boolean;
  /** ISO 8601; undefined means now. */
  since: string | undefined;
  timeoutMs: number;
  json: boolean;
  plain: boolean;
}

/** A clean-up step. Steps run in reverse order. */
type Undo = () => unknown;

/** Starts a server if none is named and this machine runs none. */
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
    // Close the run before the connections that it uses.
    undo.push(close);
    await run.follow();
  } catch (error) {
    if (!ending.signal.aborted || (run as ListenRun | null)?.hasFailed) throw error;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** Creates an endpoint if the account has none. */
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

/** A screen needs terminals with a movable cursor. */
function isScreen({ plain }: ListenFlags): boolean {
  const { stdin, stdout, env } = process;
  return !plain && stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb';
}
