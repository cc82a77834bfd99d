import { entryOf } from '../../core/entry-of.ts';
import { brandOf } from '../../core/providers.ts';
import type { AiEvent } from '../event-input.ts';
import { typePathsOf } from '../event-type.ts';
import type { PayloadTypes } from '../types/payload-types.ts';

/**
 * How a handler knows who sent a request. `standard` is hookrelay's own
 * signature (Standard Webhooks), for every sender whose own isn't one of these.
 */
export type Scheme = 'standard' | 'github' | 'stripe' | 'shopify' | 'slack';

/** Where a request says what type of event it is. */
export type TypeSource = { header: string } | { paths: readonly string[][] };

/** What frameworks have routes for; HEAD and the like are no one's webhooks. */
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const;

/** All that a template is filled with. Whatever a sender chose in it is safe in any code. */
export interface HandlerPlan {
  /** Deliveries have the event's own method. */
  method: (typeof METHODS)[number];
  scheme: Scheme;
  /** The environment variable that holds the scheme's secret. */
  secretVariable: string;
  /** The header with an id of the sender's own, where hookrelay's `webhook-id` is absent. */
  idHeader: string | null;
  /** Null where events have no types that are known. */
  types: { source: TypeSource; value: string } | null;
  payload: PayloadTypes;
  /** `GitHub`; null for a sender who isn't recognised. */
  sender: string | null;
}

/** The secret of a hookrelay destination. */
export const DESTINATION_SECRET = 'WEBHOOK_SECRET';

const SCHEMES: Readonly<
  Record<string, Pick<HandlerPlan, 'scheme' | 'secretVariable' | 'idHeader'>>
> = {
  github: {
    scheme: 'github',
    secretVariable: 'GITHUB_WEBHOOK_SECRET',
    idHeader: 'x-github-delivery',
  },
  stripe: { scheme: 'stripe', secretVariable: 'STRIPE_WEBHOOK_SECRET', idHeader: null },
  shopify: {
    scheme: 'shopify',
    secretVariable: 'SHOPIFY_CLIENT_SECRET',
    idHeader: 'x-shopify-webhook-id',
  },
  slack: { scheme: 'slack', secretVariable: 'SLACK_SIGNING_SECRET', idHeader: null },
};
const STANDARD = {
  scheme: 'standard',
  secretVariable: DESTINATION_SECRET,
  idHeader: null,
} as const;

/** As in `core/providers.ts`, which reads the type from these. */
const TYPE_HEADERS: Readonly<Record<string, string>> = {
  github: 'x-github-event',
  gitlab: 'x-gitlab-event',
  gitea: 'x-gitea-event',
  bitbucket: 'x-event-key',
  shopify: 'x-shopify-topic',
  woocommerce: 'x-wc-webhook-topic',
  linear: 'linear-event',
  sentry: 'sentry-hook-resource',
};

export function planOf(event: AiEvent, payload: PayloadTypes): HandlerPlan {
  const provider = event.provider ?? '';
  const paths = typePathsOf(event.provider);
  const header = entryOf(TYPE_HEADERS, provider);
  const source = header !== null ? { header } : paths.length > 0 ? { paths } : null;
  const { eventType } = payload;
  return {
    method: METHODS.find((method) => method === event.method) ?? 'POST',
    ...(entryOf(SCHEMES, provider) ?? STANDARD),
    types: source && eventType !== null ? { source, value: eventType } : null,
    payload,
    sender: brandOf(event.provider),
  };
}
