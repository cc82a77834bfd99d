import { randomBytes } from 'node:crypto';
import type { HookrelayError } from '../../core/errors.ts';
import { systemClock } from '../../core/runtime/runtime.ts';
import { formatSize } from '../../core/text/size.ts';
import type { Provider } from '../../providers/provider.ts';
import { composeSample } from '../../providers/sampling/compose-sample.ts';
import { ownRequest } from '../../providers/sampling/own-request.ts';
import type { Sample } from '../../providers/sampling/sample.ts';
import { apiErrorIn } from '../client/api-refusal.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure } from '../command-error.ts';
import { type Output, printable } from '../terminal/output.ts';
import { fetchCapturedRequest } from './fetch-captured-request.ts';
import { listTriggers } from './list-triggers.ts';
import { sendRequest, type TriggerAnswer, type TriggerRequest } from './send-request.ts';
import { signAs } from './sign-as.ts';
import type { TriggerFlags } from './trigger-flags.ts';
import { requestTarget, resolveTriggerTarget } from './trigger-target.ts';
import { LIST, type Own, type WhatToSend, whatToSend } from './what-to-send.ts';

/** The longest quoted part of an answer that isn't 2xx, characters. */
const MAX_QUOTED = 300;

/** @param name `provider.event`, or a provider */
export async function runTrigger(
  context: Remote,
  name: string | undefined,
  flags: TriggerFlags,
): Promise<void> {
  if (flags.list) listTriggers(context.out);
  else await send(context, await whatToSend(name, flags), flags);
}

async function send(context: Remote, content: WhatToSend, flags: TriggerFlags): Promise<void> {
  const { out } = context;
  const request = await requestOf(context, content, flags);
  const what = labelOf(content);
  const url = request.origin + request.path;
  const label = Object.values(what).join('.');
  out.note(printable(`${label}, ${formatSize(request.body.length)}, to ${url}`));

  const answer = await sendRequest(request);
  const { status } = answer;
  const isPrinted = out.asJson({ ...what, url, status, event_id: answer.eventId });
  if (!isPrinted) out.line(printable(`${status} ${answer.eventId ?? ''}`.trimEnd()));
  if (status < 200 || status > 299) throw refused(answer);
}

function labelOf(content: WhatToSend): Record<string, string> {
  if ('sample' in content) return { sample: content.sample.name };
  if ('from_event' in content) return content;
  const { provider, type } = content;
  return { provider: provider.name, ...(type !== null && { type }) };
}

function requestOf(
  context: Remote,
  content: WhatToSend,
  flags: TriggerFlags,
): Promise<TriggerRequest> {
  if ('sample' in content) return sampleRequest(context, content, flags);
  if ('from_event' in content) return capturedRequest(context, content.from_event, flags);
  return providerRequest(context, content, flags);
}

/** Omits the status, which is already printed. */
function refused({ text }: TriggerAnswer): HookrelayError {
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
  { sample, headers, body }: { sample: Sample } & Own,
  flags: TriggerFlags,
): Promise<TriggerRequest> {
  const url = await resolveTriggerTarget(client, flags.to);
  const { signatureHeader, verificationKey, ...request } = composeSample(sample, {
    url,
    secret: flags.secret ?? null,
    overrides: flags.override ?? [],
    add: flags.add === true,
    own: { headers, body },
    nowMs: systemClock.now(),
    randomBytes,
  });
  const secret = flags.secret === undefined ? sample.signature.signer.testSecret : null;
  noteKeys(out, { testSecret: secret, place: signatureHeader, verificationKey });
  return { ...requestTarget(url), ...request };
}

async function providerRequest(
  { client, out }: Remote,
  { provider, ...own }: { provider: Provider; type: string | null } & Own,
  flags: TriggerFlags,
): Promise<TriggerRequest> {
  const url = await resolveTriggerTarget(client, flags.to);
  const target = requestTarget(url);
  const nowMs = systemClock.now();
  const { override: overrides = [], add = false } = flags;
  const { headers, body, deliveryId } = ownRequest(provider, {
    ...{ ...own, overrides, add, nowMs, randomBytes },
  });
  const signed = signAs(
    { method: 'POST', url, headers, body, eventId: deliveryId, nowMs },
    { provider: provider.name, secret: flags.secret ?? null, otherwise: LIST },
  );
  const { place, verificationKey } = signed;
  const testSecret = flags.secret === undefined ? signed.secret : null;
  noteKeys(out, { testSecret, place, verificationKey });
  if (own.body === null) out.note('the body is minimal; --body-file FILE sends your own');
  return { ...target, method: 'POST', headers: signed.headers, body: signed.body };
}

interface TriggerKeys {
  /** Null if a person gave the secret, which must not be printed. */
  testSecret: string | null;
  place: string;
  verificationKey: string | null;
}

function noteKeys(out: Output, { testSecret, place, verificationKey }: TriggerKeys): void {
  if (testSecret !== null) out.note(`signed with the test secret ${testSecret}, in ${place}`);
  if (verificationKey !== null) out.note(`the verification key is ${verificationKey}`);
}

async function capturedRequest(
  { client, out }: Remote,
  event: string,
  flags: TriggerFlags,
): Promise<TriggerRequest> {
  const { endpointId, provider, path, query, ...request } = await fetchCapturedRequest(
    client,
    event,
  );
  const url = await resolveTriggerTarget(client, flags.to ?? endpointId);
  const target = requestTarget(url, path, query);
  if (flags.secret === undefined) return { ...target, ...request };
  const { headers, body, place, verificationKey } = signAs(
    { ...request, url: target.origin + target.path, eventId: event, nowMs: systemClock.now() },
    {
      ...{ provider, secret: flags.secret },
      otherwise: 'without --secret the event is sent with its own signature',
    },
  );
  noteKeys(out, { testSecret: null, place, verificationKey });
  return { ...target, ...request, headers, body };
}
