/** Who sent a request and what it tells, as far as its headers say. */
export interface Recognition {
  provider: string | null;
  /** The provider's own word for the event, such as `push` or `orders/create`. */
  eventType: string | null;
}

interface HeaderRule {
  provider: string;
  /** Whether this header's value is the event's type. */
  isType?: boolean;
  /** Several headers may be there; the more telling one wins. */
  rank: number;
}

/** A header that only this provider sends, by lower-case name. */
const RULES = new Map<string, HeaderRule>(
  Object.entries({
    'x-github-event': { provider: 'github', isType: true, rank: 3 },
    'x-gitlab-event': { provider: 'gitlab', isType: true, rank: 3 },
    'x-gitea-event': { provider: 'gitea', isType: true, rank: 4 },
    'x-event-key': { provider: 'bitbucket', isType: true, rank: 3 },
    'x-shopify-topic': { provider: 'shopify', isType: true, rank: 3 },
    'x-wc-webhook-topic': { provider: 'woocommerce', isType: true, rank: 3 },
    'linear-event': { provider: 'linear', isType: true, rank: 3 },
    'x-hook-uuid': { provider: 'pipedrive', rank: 2 },
    'stripe-signature': { provider: 'stripe', rank: 3 },
    'x-slack-signature': { provider: 'slack', rank: 3 },
    'x-twilio-email-event-webhook-signature': { provider: 'sendgrid', rank: 3 },
    'x-twilio-signature': { provider: 'twilio', rank: 3 },
    'x-discord-signature-ed25519': { provider: 'discord', rank: 3 },
    'x-signature-ed25519': { provider: 'discord', rank: 2 },
    'paypal-transmission-id': { provider: 'paypal', rank: 3 },
    'paddle-signature': { provider: 'paddle', rank: 3 },
    'x-zm-signature': { provider: 'zoom', rank: 3 },
    'intercom-webhook-signature': { provider: 'intercom', rank: 3 },
    'x-hubspot-signature-v3': { provider: 'hubspot', rank: 3 },
    'calendly-webhook-signature': { provider: 'calendly', rank: 3 },
    'typeform-signature': { provider: 'typeform', rank: 3 },
    'x-square-hmacsha256-signature': { provider: 'square', rank: 3 },
    'sentry-hook-resource': { provider: 'sentry', isType: true, rank: 3 },
    'x-pagerduty-signature': { provider: 'pagerduty', rank: 3 },
    'x-vercel-signature': { provider: 'vercel', rank: 3 },
    'svix-id': { provider: 'svix', rank: 2 },
    'webhook-signature': { provider: 'standard-webhooks', rank: 1 },
  }),
);

const NOBODY: Recognition = { provider: null, eventType: null };
const MAX_TYPE_LENGTH = 100;

/** Looks once over Node's flat name, value, name, value … list. */
export function recognise(rawHeaders: readonly string[]): Recognition {
  let best: HeaderRule | undefined;
  let type: string | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const rule = RULES.get((rawHeaders[i] as string).toLowerCase());
    if (!rule || (best && best.rank >= rule.rank)) continue;
    best = rule;
    type = rule.isType ? (rawHeaders[i + 1] as string).slice(0, MAX_TYPE_LENGTH) : null;
  }
  return best ? { provider: best.provider, eventType: type } : NOBODY;
}
