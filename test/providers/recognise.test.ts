import { expect, test } from 'vitest';
import { brandOf, providerName } from '../../src/providers/names.ts';
import { recognise } from '../../src/providers/recognise.ts';
import { recogniseBody } from '../../src/providers/recognise-body.ts';

const NOBODY = { provider: null, eventType: null };

/** The documented headers of each provider. */
const SENDERS: [string, Record<string, string>, string | null][] = [
  ['github', { 'X-GitHub-Event': 'push', 'X-Hub-Signature-256': 'sha256=0' }, 'push'],
  ['gitlab', { 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': 't' }, 'Push Hook'],
  ['gitea', { 'X-GitHub-Event': 'push', 'X-Gitea-Event': 'push' }, 'push'],
  ['gitea', { 'X-GitHub-Event': 'push', 'X-Gogs-Event': 'push', 'X-Gitea-Event': 'push' }, 'push'],
  ['gogs', { 'X-Gogs-Event': 'create', 'X-Github-Event': 'create' }, 'create'],
  ['gitee', { 'X-Gitee-Event': 'Push Hook', 'X-Gitee-Token': 't' }, 'Push Hook'],
  ['grafana', { 'X-Grafana-Alerting-Signature': '0' }, null],
  ['mailtrap', { 'Mailtrap-Signature': '0' }, null],
  ['postal', { 'X-Postal-Signature': 'A==' }, null],
  ['sparkpost', { 'X-MessageSystems-Batch-ID': 'b' }, null],
  ['bitbucket', { 'X-Event-Key': 'repo:push', 'X-Hook-UUID': 'u' }, 'repo:push'],
  ['shopify', { 'X-Shopify-Topic': 'orders/create' }, 'orders/create'],
  ['woocommerce', { 'X-WC-Webhook-Topic': 'order.created' }, 'order.created'],
  ['linear', { 'Linear-Event': 'Issue', 'Linear-Signature': '0' }, 'Issue'],
  ['stripe', { 'Stripe-Signature': 't=1,v1=0' }, null],
  ['slack', { 'X-Slack-Signature': 'v0=0' }, null],
  ['twilio', { 'X-Twilio-Signature': '0' }, null],
  ['sendgrid', { 'X-Twilio-Email-Event-Webhook-Signature': '0' }, null],
  ['discord', { 'X-Signature-Ed25519': '0', 'X-Signature-Timestamp': '1' }, null],
  ['paypal', { 'PAYPAL-TRANSMISSION-ID': '0' }, null],
  ['paddle', { 'Paddle-Signature': 'ts=1;h1=0' }, null],
  ['zoom', { 'x-zm-signature': 'v0=0' }, null],
  ['hubspot', { 'X-HubSpot-Signature-v3': '0' }, null],
  ['calendly', { 'Calendly-Webhook-Signature': 't=1,v1=0' }, null],
  ['typeform', { 'Typeform-Signature': 'sha256=0' }, null],
  ['square', { 'x-square-hmacsha256-signature': '0' }, null],
  ['sentry', { 'Sentry-Hook-Resource': 'issue' }, 'issue'],
  ['pagerduty', { 'X-PagerDuty-Signature': 'v1=0' }, null],
  ['vercel', { 'x-vercel-signature': '0' }, null],
  ['svix', { 'svix-id': 'msg_1', 'svix-signature': 'v1,0', 'webhook-signature': 'v1,0' }, null],
  ['standard-webhooks', { 'webhook-id': 'msg_1', 'webhook-signature': 'v1,0' }, null],
  ['airship', { 'X-UA-Signature': '0', 'X-UA-Timestamp': '1' }, null],
  ['aftership', { 'aftership-hmac-sha256': '0' }, null],
  ['authorize-net', { 'X-ANET-Signature': 'sha512=0' }, null],
  ['buildkite', { 'X-Buildkite-Event': 'build.finished' }, 'build.finished'],
  ['chargify', { 'X-Chargify-Webhook-Signature-Hmac-Sha-256': '0' }, null],
  ['checkout-com', { 'Cko-Signature': '0' }, null],
  ['customer-io', { 'X-CIO-Signature': '0', 'X-CIO-Timestamp': '1' }, null],
  ['dub', { 'Dub-Signature': '0' }, null],
  [
    'dwolla',
    { 'X-Dwolla-Topic': 'transfer_created', 'X-Request-Signature-SHA-256': '0' },
    'transfer_created',
  ],
  ['elevenlabs', { 'ElevenLabs-Signature': 't=1,v0=0' }, null],
  ['expo', { 'expo-signature': 'sha1=0' }, null],
  ['fastspring', { 'X-FS-Signature': '0' }, null],
  ['front', { 'X-Front-Signature': '0' }, null],
  ['heroku', { 'Heroku-Webhook-Hmac-SHA256': '0' }, null],
  ['klaviyo', { 'Klaviyo-Signature': '0' }, null],
  ['line', { 'X-Line-Signature': '0' }, null],
  ['telnyx', { 'Telnyx-Signature-Ed25519': '0' }, null],
  ['twitch', { 'Twitch-Eventsub-Subscription-Type': 'stream.online' }, 'stream.online'],
  ['workos', { 'WorkOS-Signature': 't=1, v1=0' }, null],
];

test.each(SENDERS)(
  '%s is recognised, whatever the order and case',
  (provider, headers, eventType) => {
    const pairs = [...Object.entries(headers), ['Host', 'x'], ['Content-Type', 'application/json']];
    const recognised = { provider, eventType };
    expect(recognise(pairs.flat())).toMatchObject(recognised);
    expect(recognise(pairs.toReversed().flat())).toMatchObject(recognised);
    expect(
      recognise(pairs.flatMap(([name, value]) => [name?.toUpperCase() ?? '', value ?? ''])),
    ).toMatchObject(recognised);
  },
);

test('no provider is recognised by common headers', () => {
  for (const headers of [
    [],
    ['Host', 'x', 'User-Agent', 'GitHub-Hookshot/1'],
    ['X-GitHub', 'push'],
    ['__proto__', 'x', 'constructor', 'y', 'toString', 'z'],
    // A name where a value belongs.
    ['X-A', 'X-GitHub-Event'],
  ]) {
    expect(recognise(headers)).toMatchObject(NOBODY);
  }
});

test('a type is kept unchanged, up to a length', () => {
  expect(recognise(['X-GitHub-Event', '']).eventType).toBe('');
  expect(recognise(['X-GitHub-Event', '<b>\u00e9'])).toMatchObject({
    provider: 'github',
    eventType: '<b>\u00e9',
  });
  expect(recognise(['X-GitHub-Event', 'x'.repeat(5000)]).eventType).toBe('x'.repeat(100));
});

test('the first of a repeated header counts', () => {
  expect(recognise(['X-GitHub-Event', 'push', 'x-github-event', 'fork']).eventType).toBe('push');
});

test('a body can identify its provider by two marks together', () => {
  const known: [string, unknown, string | null][] = [
    ['stripe', { object: 'event', livemode: false, type: 'charge.refunded' }, 'charge.refunded'],
    ['slack', { type: 'url_verification', challenge: 'x' }, 'url_verification'],
    ['twilio', { AccountSid: 'AC1', CallSid: 'CA1' }, 'call'],
    ['telegram', { update_id: 1 }, null],
    ['brevo', { event: 'delivered', 'message-id': '<m@x>', ts_event: 1 }, 'delivered'],
    ['brevo', { event: 'opened', camp_id: 3, ts_event: 1 }, 'opened'],
    ['mailjet', { event: 'sent', MessageID: 1, mj_campaign_id: 0 }, 'sent'],
    ['mailjet', [{ event: 'open', MessageID: 1, mj_campaign_id: 7 }], 'open'],
    ['mailersend', { type: 'activity.sent', webhook_id: 'w', domain_id: 'd' }, 'activity.sent'],
    ['mailtrap', { events: [{ event: 'delivery', event_id: 'e' }] }, 'delivery'],
    ['mailtrap', { events: [{ event: 'open', event_id: 'e' }, { event: 'click' }] }, null],
    ['sparkpost', [{ msys: { message_event: { type: 'bounce' } } }], 'bounce'],
    ['sparkpost', [{ msys: {} }], null],
    [
      'azure-devops',
      { subscriptionId: 's', notificationId: 1, publisherId: 'tfs', eventType: 'git.push' },
      'git.push',
    ],
    ['postal', { event: 'MessageSent', timestamp: 1.5, payload: {}, uuid: 'u' }, 'MessageSent'],
    ['intercom', { type: 'notification_event', topic: 'user.created' }, 'user.created'],
    ['sendgrid', [{ sg_event_id: 'x', event: 'open' }], 'open'],
    ['jira', { webhookEvent: 'jira:issue_created', issue: {} }, 'jira:issue_created'],
    ['clickup', { webhook_id: 'w', history_items: [], event: 'taskCreated' }, 'taskCreated'],
    ['cloudflare-stream', { uid: 'u', readyToStream: true, status: { state: 'ready' } }, 'ready'],
    [
      'gocardless',
      { events: [{ resource_type: 'payments' }], meta: { webhook_id: 'WB1' } },
      'payments',
    ],
    [
      'openai',
      { object: 'event', created_at: 1, type: 'response.completed' },
      'response.completed',
    ],
    [
      'airwallex',
      { name: 'payment_intent.succeeded', account_id: 'a', created_at: 't', data: { object: {} } },
      'payment_intent.succeeded',
    ],
  ];
  for (const [provider, body, eventType] of known) {
    expect(recogniseBody(body)).toEqual({ provider, eventType });
  }
  for (const body of [null, 1, 'stripe', [], {}, { object: 'event' }, { type: 'x' }, [[[]]]]) {
    expect(recogniseBody(body)).toEqual(NOBODY);
  }
  expect(recogniseBody(JSON.parse('{"__proto__": {"update_id": 1}}'))).toEqual(NOBODY);
});

test('each provider has a name, and custom names stay', () => {
  for (const [provider] of SENDERS) expect(providerName(provider)).toMatch(/^[A-Z]/);
  expect(providerName('constructor')).toBe('constructor');
});

test('headers that many services share identify none', () => {
  for (const provider of ['svix', 'standard-webhooks', 'cloudevents', 'unknown', null]) {
    expect(brandOf(provider)).toBeNull();
  }
  expect(brandOf('linear')).toBe('Linear');
});
