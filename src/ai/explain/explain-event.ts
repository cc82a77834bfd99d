import { entryOf } from '../../core/entry-of.ts';
import { formatSize } from '../../core/text/size.ts';
import { formatTime } from '../../core/text/time.ts';
import { clean, opt } from '../../core/text/words.ts';
import { bodyType } from '../../providers/body-type.ts';
import { describerOf } from '../../providers/describers.ts';
import type { Scene } from '../../providers/describing/describe.ts';
import { PayloadReader } from '../../providers/describing/payload-reader.ts';
import {
  HANDSHAKES_WITHOUT_SOURCE,
  handshakesOf,
  isHandshake,
} from '../../providers/handshakes.ts';
import { providerName } from '../../providers/names.ts';
import { PROVIDERS, providerOf } from '../../providers/providers.ts';
import { recogniseBody } from '../../providers/recognise-body.ts';
import { type BodyView, bodyView } from '../body-view.ts';
import type { AiEvent } from '../event-input.ts';
import { describeEnvelope } from './envelope.ts';
import { describeStructure } from './structure.ts';

/** The most sentences before the one about the arrival. */
const MAX_SENTENCES = 4;
/** Headers that contain a provider's own id of the request. */
const DELIVERY_ID_HEADERS = PROVIDERS.flatMap(({ deliveryIdHeader }) => deliveryIdHeader ?? []);

/** Members that commonly name the event type, for senders without a describer. */
const TYPE_FIELDS = ['type', 'event_type', 'eventType', 'event', 'topic', 'action', 'webhookEvent'];

const KIND_WORDS: Record<string, string> = { json: 'JSON', ndjson: 'NDJSON', form: 'form data' };
const JSON_IN_FORM = 'JSON in the form field "payload"';

/**
 * Returns the purpose of a URL check. Returns null for any other request, and if a describer
 * explains this one.
 */
function handshakeOf(event: AiEvent): string[] | null {
  const { verification } = event;
  // A source's handshakes are stored as unverified.
  const own = verification.state === 'unverified' ? handshakesOf(verification.provider) : [];
  const all = [...own, ...HANDSHAKES_WITHOUT_SOURCE];
  const purpose = all.find((one) => one.purpose && isHandshake(one, event))?.purpose;
  return purpose === undefined ? null : [purpose];
}

/**
 * Explains an event in plain English: who sent it, what changed, and how and when the request came.
 * Pure. Time and length are bounded for any payload. Texts from the sender are cut to one line, and
 * control characters are removed.
 */
export function explainEvent(event: AiEvent): string {
  const view = bodyView(event);
  const { provider, type } = recognisedIn(event, view);
  const described = handshakeOf(event) ?? describe(event, view, provider, type);
  const sentences = [...described.slice(0, MAX_SENTENCES), arrival(event, view), failure(event)];
  return sentences
    .filter((one) => one !== '')
    .map(tidy)
    .join(' ');
}

/**
 * Removes the gap that an absent name leaves. Removes a full stop after a quotation that ends with
 * one.
 */
function tidy(sentence: string): string {
  return sentence
    .replace(/ {2,}/g, ' ')
    .replace(/ ([.,:;])(?= |$)/g, '$1')
    .replace(/([.!?…]["')]?)\.$/, '$1');
}

/** Recognises the sender and the type by the headers, otherwise by the body. */
function recognisedIn(
  event: AiEvent,
  view: BodyView,
): { provider: string | null; type: string | null } {
  const value = payloadValue(view);
  const byBody = recogniseBody(value);
  const provider = providerOf(event.provider)?.isEnvelope
    ? (byBody.provider ?? event.provider)
    : (event.provider ?? byBody.provider);
  const ofBody = byBody.provider === provider ? byBody.eventType : null;
  const facts = new PayloadReader(value);
  const common = describerOf(provider) === null ? TYPE_FIELDS : [];
  const type = event.eventType ?? ofBody ?? bodyType(provider, value) ?? facts.first(...common);
  return { provider, type: type === null ? null : clean(type, 80) || null };
}

/**
 * Returns the value that facts are read from: JSON, a list of NDJSON documents, or a form's fields.
 */
function payloadValue({ payload }: BodyView): unknown {
  if (payload.kind === 'json') return payload.value;
  if (payload.kind === 'ndjson') return payload.values;
  return payload.kind === 'form' ? Object.fromEntries(payload.fields) : null;
}

function describe(
  event: AiEvent,
  view: BodyView,
  provider: string | null,
  type: string | null,
): string[] {
  const scene: Scene = { event, facts: new PayloadReader(payloadValue(view)), type };
  const described = (describerOf(provider) ?? describeEnvelope)(scene);
  const sender = senderOf(event, provider);
  const sent = `${sender} sent ${type === null ? 'this' : `the event "${type}"`}.`;
  if (described.length === 0) return [sent, ...describeStructure(event, view)];
  const namesSender = provider !== null && described[0]?.includes(providerName(provider));
  return namesSender ? described : [sent, ...described];
}

function senderOf({ headers }: AiEvent, provider: string | null): string {
  if (provider !== null) return providerName(provider);
  const agent = headers.get('user-agent');
  return `A sender that hookrelay does not recognise${opt` (${agent ? clean(agent, 60) : null})`}`;
}

/** Warns that the event's sender isn't verified. */
function failure({ failure }: AiEvent): string {
  return failure === null ? '' : `Its sender isn't verified (${failure.reason}): ${failure.says}.`;
}

function arrival(event: AiEvent, view: BodyView): string {
  const { method, path, body, receivedAt, headers } = event;
  const id = DELIVERY_ID_HEADERS.map((name) => headers.get(name)).find(
    (text) => text !== undefined,
  );
  const isInForm = view.payload.kind === 'json' && view.payload.isInForm;
  const kind = isInForm ? JSON_IN_FORM : entryOf(KIND_WORDS, view.payload.kind);
  const size = body.length > 0 ? ` with ${formatSize(body.length)}${opt` of ${kind}`}` : '';
  const below = opt` at ${path ? clean(path, 80) : null}`;
  const cut = view.isCut ? '; the body is large, so this covers only its beginning' : '';
  return `It came by ${clean(method, 20)}${below}${size} on ${formatTime(receivedAt) ?? 'an unknown day'}${opt`, delivery id ${id ? clean(id, 80) : null}`}${cut}.`;
}
