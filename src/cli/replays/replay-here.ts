import { counted } from '../../core/text/words.ts';
import { eventHead } from '../client/event-params.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure } from '../command-error.ts';
import { eachEvent } from '../events/each-event.ts';
import { eventLink, stdoutSurface } from '../events/event-line.ts';
import { type Forward, type ForwardOutcome, isTaken } from '../listen/forward/forward.ts';
import { Forwarder } from '../listen/forward/forwarder.ts';
import { resignByServer } from '../listen/forward/resign-by-server.ts';
import { failureText, forwardText } from '../listen/views/forward-line.ts';
import { forwardRecord } from '../listen/views/json-view.ts';
import { StreamedGet } from '../streams/streamed-get.ts';
import { dim, type Output, printable } from '../terminal/output.ts';

export interface HereFlags {
  target: string;
  /** Signs the requests; null to send no signature. */
  secret: string | null;
  /** Whether to sign each event as its provider does. */
  resign: boolean;
  timeoutMs: number;
  verbose: boolean;
}

const INDENT = '  ';

/** Changes nothing on the server. Throws at the end if an event was refused or missing. */
export async function replayHere(
  context: Remote,
  events: readonly string[],
  { target, secret, resign, timeoutMs, verbose }: HereFlags,
): Promise<void> {
  const { client, out } = context;
  const get = new StreamedGet(client);
  // Never aborted, because Ctrl-C may end the process at any point.
  const { signal } = new AbortController();
  let ended = Promise.withResolvers<[Forward, ForwardOutcome]>();
  const forwarder = new Forwarder({
    get,
    secret,
    resign: resign ? resignByServer(client, signal) : null,
    timeoutMs,
    signal,
    route: () => target,
    endpointName: () => null,
    onSent: () => {},
    onDone: (...done) => ended.resolve(done),
    onFatal: (error) => ended.reject(error),
  });
  let refused = 0;
  let missing = 0;
  let isThere = true;
  try {
    missing = await eachEvent(context, events, async (id) => {
      // Fail at once if the server is unreachable, because the forwarder would wait for it.
      const event = await eventHead(client, id);
      ended = Promise.withResolvers();
      forwarder.add(event, 'replay');
      const [forward, outcome] = await ended.promise;
      show(out, forward, outcome, { server: client.url, verbose });
      if (!isTaken(outcome)) refused++;
      if (outcome.error?.code === 'connect_refused') isThere = false;
    });
  } finally {
    await forwarder.close();
    await get.close();
  }
  const texts = [
    ...(refused > 0 ? [`${printable(target)} did not take ${counted(refused, 'event')}`] : []),
    ...(missing > 0 ? [`${counted(missing, 'event')} could not be found`] : []),
  ];
  const hint = isThere ? undefined : 'is something listening there?';
  if (texts.length > 0) throw failure(texts.join(', '), hint);
}

function show(
  out: Output,
  forward: Forward,
  outcome: ForwardOutcome,
  { server, verbose }: { server: string; verbose: boolean },
): void {
  const { responseHeaders, responseBody, responseTruncated } = outcome;
  if (out.json) {
    out.ndjson({
      ...forwardRecord(forward, outcome),
      response_headers: responseHeaders,
      response_body: responseBody,
      response_truncated: responseTruncated,
    });
    return;
  }
  const progress = { forward, target: outcome.target, outcome };
  const line = forwardText(progress, { namesTarget: true, marksReplays: false });
  out.line(`${line}  ${eventLink(forward.event.id, stdoutSurface(server).server)}`);
  const reason = failureText(outcome);
  if (reason !== null) out.note(reason);
  if (!verbose || responseHeaders === null) return;
  for (const [name, value] of responseHeaders) {
    out.line(`${INDENT}${dim(`${printable(name)}:`)} ${printable(value)}`);
  }
  if (!responseBody) return;
  out.line('');
  out.text(INDENT + responseBody.replaceAll('\n', `\n${INDENT}`));
  if (responseTruncated) out.line(INDENT + dim('… the body went on'));
}
