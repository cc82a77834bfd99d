import { entryOf } from '../../core/entry-of.ts';
import { clean, opt, sized, timed } from '../../core/words.ts';
import { describerOf } from '../../providers/describers.ts';
import type { Scene } from '../../providers/describing/describe.ts';
import { Facts } from '../../providers/describing/facts.ts';
import { HANDSHAKES } from '../../providers/handshakes.ts';
import { providerName } from '../../providers/names.ts';
import { PROVIDERS, providerOf } from '../../providers/providers.ts';
import { recogniseBody } from '../../providers/recognise-body.ts';
import { type BodyView, bodyView } from '../body-view.ts';
import type { AiEvent } from '../event-input.ts';
import { typePathsOf } from '../event-type.ts';
import { describeEnvelope } from './envelope.ts';
import { describeStructure } from './structure.ts';

/** Besides how it came: two to five sentences in all. */
const MAX_SENTENCES = 4;
/** Headers with a provider's own id of the request. */
const DELIVERY_ID_HEADERS = PROVIDERS.flatMap(({ deliveryIdHeader }) => deliveryIdHeader ?? []);

/** Where senders that nobody has described say what an event is. */
const TYPE_FIELDS = ['type', 'event_type', 'eventType', 'event', 'topic', 'action', 'webhookEvent'];

const KIND_WORDS: Record<string, string> = { json: 'JSON', ndjson: 'NDJSON', form: 'form data' };

/** The purpose of a request that checks the URL; null for others and where a describer knows it. */
function handshakeOf(event: AiEvent): string[] | null {
  const purpose = HANDSHAKES.find(({ purpose, matches }) => purpose && matches(event))?.purpose;
  return purpose === undefined ? null : [purpose];
}

/**
 * Tells in plain English what an event is: who sent it, what happened, to what,
 * and how and when it came. Pure, and bounded in time and length whatever the
 * payload: senders' words come on one line, without control characters, cut.
 */
export function explainEvent(event: AiEvent): string {
  const view = bodyView(event);
  const { provider, type } = recognisedIn(event, view);
  const told = handshakeOf(event) ?? describe(event, view, provider, type);
  return [...told.slice(0, MAX_SENTENCES), arrival(event, view)].map(tidy).join(' ');
}

/** A sentence whose last words end it themselves needs no second full stop; an absent name leaves no gap. */
function tidy(sentence: string): string {
  return sentence
    .replace(/ {2,}/g, ' ')
    .replace(/ ([.,:;])(?= |$)/g, '$1')
    .replace(/([.!?…]["')]?)\.$/, '$1');
}

/** By its headers, else by its body. */
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
  const facts = new Facts(value);
  const paths = typePathsOf(provider).map((path) => path.join('.'));
  const common = describerOf(provider) === null ? TYPE_FIELDS : [];
  const type = event.eventType ?? ofBody ?? facts.first(...paths, ...common);
  return { provider, type: type === null ? null : clean(type, 80) || null };
}

/** What facts are looked for in: JSON, the documents of NDJSON, or a form's fields. */
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
  const scene: Scene = { event, facts: new Facts(payloadValue(view)), type };
  const told = (describerOf(provider) ?? describeEnvelope)(scene);
  const sender = senderOf(event, provider);
  const sent = `${sender} sent ${type === null ? 'this' : `the event "${type}"`}.`;
  if (told.length === 0) return [sent, ...describeStructure(event, view)];
  const namesSender = provider !== null && told[0]?.includes(providerName(provider));
  return namesSender ? told : [sent, ...told];
}

function senderOf({ headers }: AiEvent, provider: string | null): string {
  if (provider !== null) return providerName(provider);
  const agent = headers.get('user-agent');
  return `A sender that hookrelay does not recognise${opt` (${agent ? clean(agent, 60) : null})`}`;
}

function arrival(event: AiEvent, view: BodyView): string {
  const { method, path, body, receivedAt, headers } = event;
  const id = DELIVERY_ID_HEADERS.map((name) => headers.get(name)).find(
    (text) => text !== undefined,
  );
  const kind = entryOf(KIND_WORDS, view.payload.kind);
  const size = body.length > 0 ? ` with ${sized(body.length)}${opt` of ${kind}`}` : '';
  const below = opt` at ${path ? clean(path, 80) : null}`;
  const cut = view.isCut ? '; the body is large, so this tells of its beginning' : '';
  return `It came by ${clean(method, 20)}${below}${size} on ${timed(receivedAt) ?? 'an unknown day'}${opt`, delivery id ${id ? clean(id, 80) : null}`}${cut}.`;
}
