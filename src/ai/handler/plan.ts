import { brandOf } from '../../providers/names.ts';
import type { Provider } from '../../providers/provider.ts';
import { providerOf } from '../../providers/providers.ts';
import type { HandlerSecret } from '../../providers/signing/signature.ts';
import { standardScheme } from '../../providers/signing/standard-proof.ts';
import type { AiEvent } from '../event-input.ts';
import type { PayloadTypes } from '../types/payload-types.ts';
import { type HandlerScheme, handlerScheme } from './handler-scheme.ts';
import { type HandlerSample, sampleOf } from './sample.ts';

interface OwnSignature {
  provider: string;
  /** The provider's name as part of an identifier: letters and digits only. */
  word: string;
  /** The name of the signature's header, in lower case. */
  header: string;
  scheme: HandlerScheme;
  secret: HandlerSecret;
}

/** Where a request has the event type. */
export type TypeSource = { header: string } | { paths: readonly string[][] };

/** The methods for which frameworks have routes. No webhook uses HEAD or the others. */
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const;

/** The values that fill a template. The sender's texts are made harmless for any code. */
export interface HandlerPlan {
  /** The event's method. A delivery uses the same method. */
  method: (typeof METHODS)[number];
  /**
   * Null if the templates can't verify the sender's signature. The handler then verifies
   * hookrelay's.
   */
  own: OwnSignature | null;
  /** The environment variable that holds the secret. */
  secretVariable: string;
  /**
   * The header with the sender's own id. It is used if a request lacks hookrelay's `webhook-id`.
   */
  idHeader: string | null;
  /** How far a signature's time may differ from now, seconds. Null if the signature has no time. */
  toleranceS: number | null;
  /** Null for events without a known type. */
  types: { source: TypeSource; value: string } | null;
  payload: PayloadTypes;
  /** The sender's name, such as `GitHub`; null for an unknown sender. */
  sender: string | null;
  /** The captured request, for the test. */
  sample: HandlerSample;
}

/** The environment variable with the secret of a hookrelay destination. */
export const DESTINATION_SECRET = 'WEBHOOK_SECRET';

/** How far the time of hookrelay's signature may differ from now, seconds. */
const TOLERANCE_S = 300;

/** The signature of services that send through Svix: their providers have no scheme. */
const SVIX = standardScheme('svix');

/** Providers whose handlers don't switch on the header of the event type. */
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
    secretVariable: own?.secret.variable ?? DESTINATION_SECRET,
    idHeader: (own && provider?.deliveryIdHeader) ?? null,
    toleranceS: own === null ? TOLERANCE_S : own.scheme.time && own.scheme.time.toleranceMs / 1000,
    types: source && eventType !== null ? { source, value: eventType } : null,
    payload,
    sender: brandOf(event.provider),
    sample: sampleOf(event, source && 'header' in source ? source.header : null),
  };
}

function ownSignatureOf(provider: Provider | null): OwnSignature | null {
  const { header: signedIn, scheme = SVIX, handlers } = provider?.signature ?? {};
  // `isSigned` of the handlers checks Standard Webhooks of any sender.
  if (!provider?.proof || scheme.header !== signedIn) return null;
  const own = handlerScheme(scheme);
  if (!own) return null;
  const { title, name, proof } = provider;
  const secret = handlers ?? {
    name: proof.secret,
    variable: `${name.toUpperCase().replaceAll('-', '_')}_WEBHOOK_SECRET`,
  };
  const word = title.replaceAll(/\W/g, '');
  const header = scheme.header.toLowerCase();
  return { provider: title, word, header, scheme: own, secret };
}

/**
 * Returns where the event type is: in a header, as in `recognise.ts`, or otherwise at paths in the
 * body.
 */
function typeSourceOf({ name, marks = [], typePaths = [] }: Provider): TypeSource | null {
  const mark = WITHOUT_SWITCH.has(name) ? undefined : marks.find(({ isType }) => isType);
  if (mark) return { header: mark.header };
  return typePaths.length > 0 ? { paths: typePaths } : null;
}
