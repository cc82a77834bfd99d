import { entryOf } from './entry-of.ts';

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
    'twitch-eventsub-subscription-type': { provider: 'twitch', isType: true, rank: 3 },
    'circleci-event-type': { provider: 'circleci', isType: true, rank: 3 },
    'x-netlify-event': { provider: 'netlify', isType: true, rank: 3 },
    'x-contentful-topic': { provider: 'contentful', isType: true, rank: 3 },
    'x-amz-sns-message-type': { provider: 'aws-sns', isType: true, rank: 3 },
    'aeg-event-type': { provider: 'azure-event-grid', isType: true, rank: 3 },
    'x-telegram-bot-api-secret-token': { provider: 'telegram', rank: 3 },
    'x-hook-signature': { provider: 'asana', rank: 2 },
    'x-trello-webhook': { provider: 'trello', rank: 3 },
    'x-dropbox-signature': { provider: 'dropbox', rank: 3 },
    'x-atlassian-webhook-identifier': { provider: 'jira', rank: 2 },
    'ce-type': { provider: 'cloudevents', isType: true, rank: 2 },
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

/** How each provider spells its own name. */
const NAMES: Record<string, string> = {
  alertmanager: 'Alertmanager',
  asana: 'Asana',
  'aws-sns': 'Amazon SNS',
  'azure-event-grid': 'Azure Event Grid',
  bitbucket: 'Bitbucket',
  calendly: 'Calendly',
  chargebee: 'Chargebee',
  circleci: 'CircleCI',
  clerk: 'Clerk',
  contentful: 'Contentful',
  discord: 'Discord',
  dockerhub: 'Docker Hub',
  dropbox: 'Dropbox',
  gitea: 'Gitea',
  github: 'GitHub',
  gitlab: 'GitLab',
  grafana: 'Grafana',
  hubspot: 'HubSpot',
  intercom: 'Intercom',
  jira: 'Jira',
  linear: 'Linear',
  mailgun: 'Mailgun',
  meta: 'Meta',
  netlify: 'Netlify',
  paddle: 'Paddle',
  pagerduty: 'PagerDuty',
  paypal: 'PayPal',
  plaid: 'Plaid',
  postmark: 'Postmark',
  resend: 'Resend',
  revenuecat: 'RevenueCat',
  sendgrid: 'SendGrid',
  sentry: 'Sentry',
  shopify: 'Shopify',
  slack: 'Slack',
  square: 'Square',
  stripe: 'Stripe',
  telegram: 'Telegram',
  trello: 'Trello',
  twilio: 'Twilio',
  twitch: 'Twitch',
  typeform: 'Typeform',
  vercel: 'Vercel',
  woocommerce: 'WooCommerce',
  zoom: 'Zoom',
};

/** Ways to send that many services have in common: whose an event is, they don't say. */
const ENVELOPES: Record<string, string> = {
  cloudevents: 'A CloudEvents source',
  'standard-webhooks': 'A service that follows Standard Webhooks',
  svix: 'A service that sends through Svix',
};

/** Who sends, to begin a sentence with: `GitHub` of `github`; who isn't in the tables goes by the id. */
export function providerName(provider: string): string {
  return brandOf(provider) ?? entryOf(ENVELOPES, provider) ?? provider;
}

/** A provider's own name, `GitHub` of `github`; null where an event's provider isn't a service. */
export function brandOf(provider: string | null): string | null {
  return entryOf(NAMES, provider);
}

/** Own members of an object, an array or anything; `undefined` where there is none. */
type Look = (...path: string[]) => unknown;

/**
 * What a body must look like to be a provider's: the event's type, null when it
 * has none, undefined when it isn't theirs. Each names at least two marks that
 * go together nowhere else; the first that fits wins.
 */
const SHAPES: [provider: string, typeOf: (look: Look) => unknown][] = [
  [
    'stripe',
    (o) => (o('object') === 'event' && o('livemode') !== undefined ? o('type') : undefined),
  ],
  ['clerk', (o) => (o('object') === 'event' && o('instance_id') ? o('type') : undefined)],
  [
    'slack',
    (o) => (o('team_id') && o('api_app_id') && o('event') ? o('event', 'type') : undefined),
  ],
  ['slack', (o) => (o('type') === 'url_verification' && o('challenge') ? o('type') : undefined)],
  ['slack', (o) => (o('command') && o('team_id') && o('response_url') ? o('command') : undefined)],
  ['twilio', (o) => (o('AccountSid') && (o('MessageSid') ?? o('SmsSid')) ? 'message' : undefined)],
  ['twilio', (o) => (o('AccountSid') && o('CallSid') ? 'call' : undefined)],
  ['sendgrid', (o) => (o('0', 'sg_event_id') ? o('0', 'event') : undefined)],
  ['mailgun', (o) => (o('signature', 'token') ? o('event-data', 'event') : undefined)],
  ['postmark', (o) => (o('MessageID') && o('RecordType') ? o('RecordType') : undefined)],
  ['postmark', (o) => (o('MessageID') && o('MailboxHash') !== undefined ? 'Inbound' : undefined)],
  ['resend', (o) => (o('data', 'email_id') && o('created_at') ? o('type') : undefined)],
  ['telegram', (o) => (typeof o('update_id') === 'number' ? null : undefined)],
  ['meta', (o) => (Array.isArray(o('entry')) && o('object') ? o('object') : undefined)],
  [
    'discord',
    (o) => (o('application_id') && o('version') === 1 ? (o('event', 'type') ?? null) : undefined),
  ],
  ['linear', (o) => (o('webhookTimestamp') && o('organizationId') ? o('type') : undefined)],
  [
    'jira',
    (o) =>
      o('webhookEvent') && (o('issue') ?? o('user') ?? o('timestamp'))
        ? o('webhookEvent')
        : undefined,
  ],
  ['pagerduty', (o) => (o('event', 'resource_type') ? o('event', 'event_type') : undefined)],
  ['sentry', (o) => (o('installation', 'uuid') && o('data') ? (o('action') ?? null) : undefined)],
  ['square', (o) => (o('merchant_id') && o('event_id') ? o('type') : undefined)],
  ['paddle', (o) => (o('notification_id') && o('event_id') ? o('event_type') : undefined)],
  [
    'paypal',
    (o) => (o('event_type') && o('resource_type') && o('resource') ? o('event_type') : undefined),
  ],
  ['hubspot', (o) => (o('0', 'portalId') ? o('0', 'subscriptionType') : undefined)],
  ['intercom', (o) => (o('type') === 'notification_event' ? o('topic') : undefined)],
  [
    'zoom',
    (o) => ((o('payload', 'account_id') ?? o('payload', 'plainToken')) ? o('event') : undefined),
  ],
  ['calendly', (o) => (o('created_by') && o('payload', 'uri') ? o('event') : undefined)],
  ['typeform', (o) => (o('form_response', 'form_id') ? o('event_type') : undefined)],
  [
    'chargebee',
    (o) => (o('event_type') && o('content') && o('webhook_status') ? o('event_type') : undefined),
  ],
  [
    'revenuecat',
    (o) => (o('api_version') && o('event', 'app_user_id') ? o('event', 'type') : undefined),
  ],
  ['plaid', (o) => (o('webhook_type') && o('webhook_code') ? o('webhook_code') : undefined)],
  ['grafana', (o) => (o('orgId') && Array.isArray(o('alerts')) ? o('status') : undefined)],
  ['alertmanager', (o) => (o('groupKey') && Array.isArray(o('alerts')) ? o('status') : undefined)],
  ['aws-sns', (o) => (o('TopicArn') && o('MessageId') ? o('Type') : undefined)],
  [
    'azure-event-grid',
    (o) => (o('0', 'eventType') && o('0', 'topic') ? o('0', 'eventType') : undefined),
  ],
  ['dockerhub', (o) => (o('push_data') && o('repository', 'repo_name') ? 'push' : undefined)],
  ['cloudevents', (o) => (o('specversion') && o('source') ? o('type') : undefined)],
];

/**
 * Providers that don't sign, or whose headers a proxy took away, by what they
 * send. Too dear to be done at capture: a body is parsed for it.
 *
 * @param body parsed JSON, or a form's fields as an object
 */
export function recogniseBody(body: unknown): Recognition {
  const look: Look = (...path) => {
    let value = body;
    for (const name of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
        return undefined;
      }
      value = (value as Record<string, unknown>)[name];
    }
    return value;
  };
  if (typeof body !== 'object' || body === null) return NOBODY;
  for (const [provider, typeOf] of SHAPES) {
    const type = typeOf(look);
    if (type === undefined) continue;
    return {
      provider,
      eventType: typeof type === 'string' ? type.slice(0, MAX_TYPE_LENGTH) : null,
    };
  }
  return NOBODY;
}
