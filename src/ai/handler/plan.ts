import { brandOf } from '../../providers/names.ts';
import type { Provider } from '../../providers/provider.ts';
import { providerOf } from '../../providers/providers.ts';
import type { HmacScheme } from '../../providers/signing/hmac-scheme.ts';
import type { AiEvent } from '../event-input.ts';
import type { PayloadTypes } from '../types/payload-types.ts';

/** A provider's own signature, which a handler verifies. */
export interface OwnSignature {
  /** `GitHub` */
  provider: string;
  /** The same as part of a name in code: without blanks and the like. */
  word: string;
  /** In lower case. */
  header: string;
  scheme: HmacScheme;
}

/** Where a request says what type of event it is. */
export type TypeSource = { header: string } | { paths: readonly string[][] };

/** What frameworks have routes for; HEAD and the like are no one's webhooks. */
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const;

/** All that a template is filled with. Whatever a sender chose in it is safe in any code. */
export interface HandlerPlan {
  /** Deliveries have the event's own method. */
  method: (typeof METHODS)[number];
  /**
   * Null where the handler verifies hookrelay's signature (Standard Webhooks)
   * instead: for senders without a signature that the templates can verify.
   */
  own: OwnSignature | null;
  /** The environment variable that holds the secret. */
  secretVariable: string;
  /** The header with an id of the sender's own, where hookrelay's `webhook-id` is absent. */
  idHeader: string | null;
  /** How far a signature's time may be from now, seconds; null where no time is signed. */
  toleranceS: number | null;
  /** Null where events have no types that are known. */
  types: { source: TypeSource; value: string } | null;
  payload: PayloadTypes;
  /** `GitHub`; null for a sender who isn't recognised. */
  sender: string | null;
}

/** The secret of a hookrelay destination. */
export const DESTINATION_SECRET = 'WEBHOOK_SECRET';

/** How far a signature's time may be from now where hookrelay signs, seconds. */
const TOLERANCE_S = 300;

/** Their handlers take any type: no switch on it. */
const WITHOUT_SWITCH: ReadonlySet<string> = new Set([
  'aws-sns',
  'azure-event-grid',
  'circleci',
  'cloudevents',
  'contentful',
  'netlify',
  'twitch',
]);

export function planOf(event: AiEvent, payload: PayloadTypes): HandlerPlan {
  const provider = providerOf(event.provider);
  const own = ownSignatureOf(provider);
  const source = provider && typeSourceOf(provider);
  const { eventType } = payload;
  return {
    method: METHODS.find((method) => method === event.method) ?? 'POST',
    own,
    secretVariable: own?.scheme.secret.variable ?? DESTINATION_SECRET,
    idHeader: (own && provider?.deliveryIdHeader) ?? null,
    toleranceS: own === null ? TOLERANCE_S : (own.scheme.time?.toleranceS ?? null),
    types: source && eventType !== null ? { source, value: eventType } : null,
    payload,
    sender: brandOf(event.provider),
  };
}

function ownSignatureOf(provider: Provider | null): OwnSignature | null {
  const { header, hmac } = provider?.signature ?? {};
  if (!provider || header === undefined || !hmac) return null;
  const { title } = provider;
  const word = title.replaceAll(/\W/g, '');
  return { provider: title, word, header: header.toLowerCase(), scheme: hmac };
}

/** A header goes before the body: `recognise.ts` reads the type from the same one. */
function typeSourceOf({ name, marks = [], typePaths = [] }: Provider): TypeSource | null {
  const mark = WITHOUT_SWITCH.has(name) ? undefined : marks.find(({ isType }) => isType);
  if (mark) return { header: mark.header };
  return typePaths.length > 0 ? { paths: typePaths } : null;
}
