import { randomBytes } from 'node:crypto';
import type { HookrelayError } from '../../core/errors.ts';
import { systemClock } from '../../core/runtime.ts';
import { findSample } from '../../providers/find-sample.ts';
import { SAMPLES } from '../../providers/samples.ts';
import { composeSample } from '../../providers/sampling/compose-sample.ts';
import type { Sample } from '../../providers/sampling/sample.ts';
import { apiErrorIn } from '../client/api-refusal.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure, usageError } from '../command-error.ts';
import { type Output, printable } from '../terminal/output.ts';
import { sizeText } from '../terminal/value-text.ts';
import { fetchCapturedRequest } from './captured-request.ts';
import { type Answer, type OutgoingRequest, sendRequest } from './send-request.ts';
import { signAs } from './sign-as.ts';
import { requestTarget, resolveTarget } from './target.ts';

/** Longest quote of an answer that isn't 2xx, characters. */
const MAX_QUOTED = 300;

export interface TriggerFlags {
  to?: string;
  secret?: string;
  override?: string[];
  add?: boolean;
  fromEvent?: string;
  list?: boolean;
}

/** The request to send: a sample, or a captured event. */
type Source = { sample: Sample } | { from_event: string };

/**
 * Lists the samples, or sends one, or a captured event.
 *
 * @param name `provider.event`
 */
export async function runTrigger(
  context: Remote,
  name: string | undefined,
  flags: TriggerFlags,
): Promise<void> {
  if (flags.list) listSamples(context.out);
  else await send(context, sourceOf(name, flags), flags);
}

function listSamples(out: Output): void {
  const rows = SAMPLES.map(({ name, description, source, signature }) => ({
    name,
    description,
    signature_header: signature.header,
    source,
  }));
  out.table(
    rows,
    [
      { title: 'name', value: ({ name }) => name },
      { title: 'description', value: ({ description }) => description, elastic: true },
      { title: 'signature', value: ({ signature_header }) => signature_header, optional: true },
    ],
    'There are no samples.',
  );
}

/** Throws wrong usage for neither, for both, and for an unknown sample. */
function sourceOf(name: string | undefined, flags: TriggerFlags): Source {
  const { fromEvent, override, add } = flags;
  if (fromEvent === undefined) {
    if (name !== undefined) return { sample: findSample(name) };
    throw usageError('what is to be sent?', 'hookrelay trigger --list shows all samples');
  }
  if (name === undefined && override === undefined && !add) return { from_event: fromEvent };
  throw usageError(
    '--from-event goes with no sample, --override or --add',
    'a captured event is sent as it came; --secret signs it again',
  );
}

async function send(context: Remote, source: Source, flags: TriggerFlags): Promise<void> {
  const { out } = context;
  const request =
    'sample' in source
      ? await sampleRequest(context, source.sample, flags)
      : await capturedRequest(context, source.from_event, flags);
  const what = 'sample' in source ? { sample: source.sample.name } : source;
  const url = request.origin + request.path;
  out.note(printable(`${Object.values(what)}, ${sizeText(request.body.length)}, to ${url}`));

  const answer = await sendRequest(request);
  const { status } = answer;
  if (out.json) out.object({ ...what, url, status, event_id: answer.eventId }, () => []);
  else out.line(printable(`${status} ${answer.eventId ?? ''}`.trimEnd()));
  if (status < 200 || status > 299) throw refused(answer);
}

/** The reason in an answer that isn't 2xx. URL and status are printed already. */
function refused({ text }: Answer): HookrelayError {
  const { code, message, hint } = apiErrorIn(text);
  if (message === undefined) {
    const quoted = text.trim().slice(0, MAX_QUOTED);
    return failure(`the target did not accept the request${quoted && `: ${quoted}`}`);
  }
  return failure(
    message,
    code === 'endpoint_inactive' ? 'hookrelay endpoints resume ENDPOINT' : hint,
  );
}

async function sampleRequest(
  { client, out }: Remote,
  sample: Sample,
  flags: TriggerFlags,
): Promise<OutgoingRequest> {
  const url = await resolveTarget(client, flags.to);
  const { signatureHeader, verificationKey, ...request } = composeSample(sample, {
    url,
    secret: flags.secret ?? null,
    overrides: flags.override ?? [],
    add: flags.add === true,
    nowMs: systemClock.now(),
    randomBytes,
  });
  if (flags.secret === undefined) {
    const { testSecret } = sample.signature.signer;
    out.note(`signed with the test secret ${testSecret}, in ${signatureHeader}`);
  }
  if (verificationKey !== null) out.note(`the verification key is ${verificationKey}`);
  return { ...requestTarget(url), ...request };
}

async function capturedRequest(
  { client, out }: Remote,
  event: string,
  flags: TriggerFlags,
): Promise<OutgoingRequest> {
  const { endpointId, provider, path, query, ...request } = await fetchCapturedRequest(
    client,
    event,
  );
  const url = await resolveTarget(client, flags.to ?? endpointId);
  const target = requestTarget(url, path, query);
  if (flags.secret === undefined) return { ...target, ...request };
  const signed = signAs(
    { ...request, url: target.origin + target.path, eventId: event, nowMs: systemClock.now() },
    { provider, secret: flags.secret },
  );
  if (signed.verificationKey !== null)
    out.note(`the verification key is ${signed.verificationKey}`);
  return { ...target, ...request, headers: signed.headers };
}
