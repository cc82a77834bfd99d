import { describe, expect, test } from 'vitest';
import { explainEvent } from '../../../src/ai/explain/explain-event.ts';
import { findSample, SAMPLES } from '../../../src/samples/catalog.ts';
import { eventOf, eventOfSample } from './ai-event.ts';

/** What a reader must learn from each sample that `hookrelay trigger` sends. */
const SAMPLE_FACTS: Record<string, string[]> = {
  'github.push': ['GitHub', 'push', '2 commits', 'main', 'example-org/webshop', 'Show taxes'],
  'github.pull_request': ['opened', '#131', 'cart-taxes to main', '+84 -31 lines'],
  'github.issues': ['grace-example', '#128', 'labels bug', 'ada-example'],
  'github.release': ['published', '2.4.0', 'v2.4.0'],
  'github.ping': ['ping', 'push and pull_request'],
  'stripe.payment_intent.succeeded': ['Stripe', '49.90 EUR', 'ada@example.com', 'test mode', 'pi_'],
  'stripe.checkout.session.completed': ['49.90 EUR', 'checkout session', 'cus_'],
  'stripe.invoice.paid': ['29.00 EUR', 'in_', 'number'],
  'stripe.charge.refunded': ['49.90 EUR refunded', 'amount_refunded'],
  'stripe.customer.subscription.updated': ['29.00 EUR a month', 'ends with its period'],
  'shopify.orders.create': ['Shopify', '#1001', '54.80 EUR', '2 × Plain T-Shirt', 'Ada Example'],
  'shopify.products.update': ['Plain T-Shirt', '24.95', '2 variants'],
  'slack.message': ['Slack', 'Order 1001 is packed', 'channel C', 'workspace T'],
  'slack.url_verification': ['checks that this URL is yours', 'answered its challenge'],
  'gitlab.push': ['GitLab', '1 commit', 'main', 'example-group/webshop'],
  'gitlab.merge_request': ['opened', '!131', 'cart-taxes to main'],
  'twilio.message': ['Twilio', '+14155550142', 'When will order 1001 arrive'],
  'twilio.call': ['phone call', 'ringing', '+14155550100'],
  'sendgrid.events': ['SendGrid', '4 events', '1 bounce', 'nobody@example.com', '550 5.1.1'],
  'standard.user.created': ['Standard Webhooks', 'user.created', 'ada@example.com', 'user_'],
};

test.each(SAMPLES.map(({ name }) => name))('%s is told with what matters', (name) => {
  const facts = SAMPLE_FACTS[name];
  if (!facts) throw new Error(`say above what a reader must learn from ${name}`);
  const text = explainEvent(eventOfSample(findSample(name)));
  for (const fact of facts) expect(text).toContain(fact);
  expect(text).toContain('2026-11-21 09:00:00 UTC');
  // Two to five sentences; quotations and dotted names make it look like more.
  expect(text.length).toBeLessThan(1500);
  expect(text).not.toMatch(/undefined|\[object|NaN|null/);
});

const json = { 'content-type': 'application/json' };

/** Shapes from the providers' documentation, cut down; recognised by header or by body alone. */
const OTHERS: [name: string, headers: Record<string, string>, body: unknown, facts: string[]][] = [
  [
    'bitbucket',
    { 'X-Event-Key': 'repo:push' },
    {
      actor: { display_name: 'Ada' },
      repository: { full_name: 'team/shop' },
      push: {
        changes: [{ new: { name: 'main', target: { hash: '709d658dc5b6', message: 'Fix\n' } } }],
      },
    },
    ['Bitbucket', 'Ada pushed to main of team/shop', '709d658', '"Fix"'],
  ],
  [
    'paypal',
    {},
    {
      id: 'WH-1',
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      resource_type: 'capture',
      create_time: '2026-11-21T08:59:00Z',
      summary: 'Payment completed for EUR 1049.9.',
      resource: {
        id: '7NW',
        status: 'COMPLETED',
        amount: { value: '1049.90', currency_code: 'EUR' },
      },
    },
    ['PayPal', 'PAYMENT.CAPTURE.COMPLETED', '1,049.90 EUR', 'completed', '7NW'],
  ],
  [
    'square in yen',
    {},
    {
      merchant_id: 'M1',
      event_id: 'e1',
      type: 'payment.updated',
      data: {
        type: 'payment',
        id: 'p1',
        object: {
          payment: { status: 'COMPLETED', total_money: { amount: 1200, currency: 'JPY' } },
        },
      },
    },
    ['Square', 'payment.updated', '1,200 JPY', 'completed', 'M1'],
  ],
  [
    'paddle',
    { 'Paddle-Signature': 'ts=1;h1=0' },
    {
      event_id: 'evt_1',
      notification_id: 'ntf_1',
      event_type: 'transaction.completed',
      data: {
        id: 'txn_1',
        status: 'completed',
        currency_code: 'USD',
        customer_id: 'ctm_1',
        details: { totals: { grand_total: '3600' } },
        items: [{ price: { name: 'Pro, monthly' } }],
      },
    },
    ['Paddle', 'transaction.completed', '36.00 USD', 'Pro, monthly', 'ctm_1'],
  ],
  [
    'mailgun',
    {},
    {
      signature: { token: 't', timestamp: '1', signature: 's' },
      'event-data': {
        event: 'failed',
        severity: 'permanent',
        recipient: 'nobody@example.com',
        'delivery-status': { code: 605, message: 'Not delivering to previously bounced address' },
        message: { headers: { 'message-id': 'm1', subject: 'Your order' } },
        timestamp: 1795251540,
      },
    },
    ['Mailgun', 'failed', 'permanent', 'nobody@example.com', '605', '"Your order"'],
  ],
  [
    'postmark',
    {},
    {
      RecordType: 'Bounce',
      MessageID: 'm1',
      Email: 'nobody@example.com',
      Type: 'HardBounce',
      Description: 'The server was unable to deliver',
    },
    ['Postmark', 'bounce', 'nobody@example.com', 'HardBounce'],
  ],
  [
    'telegram',
    {},
    {
      update_id: 7,
      message: {
        message_id: 1,
        from: { username: 'ada' },
        chat: { id: -5, title: 'Shop' },
        date: 1795251540,
        text: 'hello',
      },
    },
    ['Telegram', 'message from ada in Shop', '"hello"', 'update 7'],
  ],
  [
    'discord',
    { 'X-Signature-Ed25519': '0' },
    {
      type: 2,
      application_id: 'a',
      data: { name: 'deploy' },
      guild_id: '9',
      channel_id: '8',
      member: { user: { username: 'ada' } },
    },
    ['Discord', 'a command "deploy" by ada', 'guild 9'],
  ],
  [
    'jira',
    {},
    {
      webhookEvent: 'jira:issue_updated',
      user: { displayName: 'Ada' },
      issue: { key: 'SHOP-1', fields: { summary: 'Taxes', status: { name: 'Done' } } },
      changelog: { items: [{ field: 'status', fromString: 'Open', toString: 'Done' }] },
    },
    ['Jira', 'issue updated', 'SHOP-1', '"Taxes"', 'status from "Open" to "Done"'],
  ],
  [
    'pagerduty',
    {},
    {
      event: {
        event_type: 'incident.triggered',
        resource_type: 'incident',
        occurred_at: '2026-11-21T08:59:00Z',
        data: {
          number: 12,
          title: 'Disk full',
          status: 'triggered',
          urgency: 'high',
          service: { summary: 'Web' },
        },
      },
    },
    ['PagerDuty', 'incident.triggered', '#12', '"Disk full"', 'Web', 'urgency high'],
  ],
  [
    'sentry',
    { 'Sentry-Hook-Resource': 'issue' },
    {
      action: 'created',
      installation: { uuid: 'u' },
      data: {
        issue: {
          title: 'TypeError',
          shortId: 'WEB-1',
          level: 'error',
          culprit: 'cart.ts',
          count: '3',
        },
      },
    },
    ['Sentry', 'created', '"TypeError"', 'cart.ts', 'WEB-1', 'level error'],
  ],
  [
    'linear',
    { 'Linear-Event': 'Issue' },
    {
      action: 'update',
      type: 'Issue',
      actor: { name: 'Ada' },
      organizationId: 'o',
      webhookTimestamp: 1,
      data: { identifier: 'ENG-7', title: 'Taxes', state: { name: 'Done' } },
      updatedFrom: { stateId: 's' },
    },
    ['Linear', 'Ada updated the issue ENG-7', '"Taxes"', 'Done', 'state id'],
  ],
  [
    'hubspot',
    {},
    [
      {
        portalId: 5,
        subscriptionType: 'contact.propertyChange',
        objectId: 9,
        propertyName: 'city',
        propertyValue: 'Berlin',
        occurredAt: 1795251540000,
      },
    ],
    ['HubSpot', '1 change', 'contact.propertyChange', 'object 9', 'city is now "Berlin"'],
  ],
  [
    'intercom',
    {},
    {
      type: 'notification_event',
      topic: 'conversation.user.created',
      app_id: 'w1',
      data: {
        item: { type: 'conversation', id: '3', source: { author: { email: 'ada@example.com' } } },
      },
    },
    ['Intercom', 'conversation.user.created', 'ada@example.com', 'w1'],
  ],
  [
    'zoom',
    {},
    {
      event: 'meeting.ended',
      event_ts: 1,
      payload: {
        account_id: 'a',
        object: {
          id: '8',
          topic: 'Standup',
          start_time: '2026-11-21T08:00:00Z',
          end_time: '2026-11-21T08:15:00Z',
        },
      },
    },
    ['Zoom', 'meeting.ended', '"Standup"', 'ended 2026-11-21 08:15:00 UTC'],
  ],
  [
    'calendly',
    {},
    {
      event: 'invitee.created',
      created_by: 'u',
      payload: {
        uri: 'x',
        name: 'Ada',
        email: 'ada@example.com',
        timezone: 'Europe/Berlin',
        scheduled_event: { name: 'Call', start_time: '2026-12-01T10:00:00Z' },
      },
    },
    ['Calendly', 'Ada (ada@example.com) booked "Call"', '2026-12-01 10:00:00 UTC', 'Europe/Berlin'],
  ],
  [
    'typeform',
    {},
    {
      event_id: 'e',
      event_type: 'form_response',
      form_response: {
        form_id: 'f1',
        token: 't1',
        submitted_at: '2026-11-21T08:59:00Z',
        definition: { title: 'Survey', fields: [{ title: 'Your name?' }, { title: 'Happy?' }] },
        answers: [
          { type: 'text', text: 'Ada' },
          { type: 'choice', choice: { label: 'Very' } },
        ],
      },
    },
    ['"Survey"', 'f1', '2 answers', '"Your name?": Ada', '"Happy?": Very'],
  ],
  [
    'clerk through svix',
    { 'svix-id': 'msg_1', 'svix-signature': 'v1,0' },
    {
      object: 'event',
      type: 'user.created',
      instance_id: 'ins_1',
      data: {
        object: 'user',
        id: 'user_1',
        first_name: 'Ada',
        last_name: null,
        email_addresses: [{ email_address: 'ada@example.com' }],
      },
    },
    ['Clerk', 'user.created', 'user_1', 'Ada', 'ada@example.com', 'ins_1'],
  ],
  [
    'vercel',
    { 'x-vercel-signature': '0' },
    {
      type: 'deployment.succeeded',
      payload: {
        name: 'shop',
        target: 'production',
        deployment: {
          id: 'dpl_1',
          url: 'shop-1.vercel.app',
          meta: { githubCommitMessage: 'Taxes', githubCommitAuthorName: 'Ada' },
        },
      },
    },
    ['Vercel', 'deployment.succeeded', 'shop', 'production', 'dpl_1', '"Taxes" by Ada'],
  ],
  [
    'whatsapp',
    {},
    {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'messages',
              value: {
                metadata: { display_phone_number: '4930123' },
                messages: [{ from: '4917000', type: 'text', text: { body: 'hi' } }],
              },
            },
          ],
        },
      ],
    },
    ['WhatsApp', '1 message', '4917000', '"hi"', '4930123'],
  ],
  [
    'alertmanager',
    {},
    {
      version: '4',
      groupKey: 'g',
      status: 'firing',
      receiver: 'ops',
      alerts: [
        {
          labels: { alertname: 'DiskFull' },
          annotations: { summary: 'Disk of web-1 is full' },
          startsAt: '2026-11-21T08:00:00Z',
        },
      ],
    },
    ['Alertmanager', 'firing', 'DiskFull', 'Disk of web-1 is full', 'ops'],
  ],
  [
    'sns',
    { 'x-amz-sns-message-type': 'SubscriptionConfirmation' },
    {
      Type: 'SubscriptionConfirmation',
      MessageId: 'm',
      TopicArn: 'arn:aws:sns:eu-central-1:1:orders',
      SubscribeURL: 'https://sns.example/?Token=1',
    },
    ['Amazon SNS', 'orders', 'SubscribeURL'],
  ],
  [
    'woocommerce',
    { 'X-WC-Webhook-Topic': 'order.created', 'X-WC-Webhook-Source': 'https://shop.example' },
    {
      id: 5,
      number: '5',
      status: 'processing',
      currency: 'EUR',
      total: '18.00',
      billing: { first_name: 'Ada', email: 'ada@example.com' },
      line_items: [{ name: 'Tea', quantity: 2 }],
    },
    ['WooCommerce', '18.00 EUR', '2 × Tea', 'Ada', 'processing'],
  ],
  [
    'a slash command of Slack',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'token=x&team_id=T1&team_domain=shop&channel_name=ops&user_name=ada&command=%2Fdeploy&text=web+now&response_url=https%3A%2F%2Fhooks.slack.com%2F1',
    ['ada used the slash command /deploy in #ops of shop', '"web now"'],
  ],
  [
    'cloudevents in headers',
    { 'ce-type': 'com.example.order.created', 'ce-source': '/orders', 'ce-id': '42' },
    { id: 1, total: 12.5, currency: 'EUR' },
    ['com.example.order.created', '/orders', '12.5 EUR', '42'],
  ],
];

test.each(OTHERS)('%s is told with what matters', (_, headers, body, facts) => {
  const text = explainEvent(eventOf({ headers: { ...json, ...headers }, body }));
  for (const fact of facts) expect(text).toContain(fact);
  expect(text).not.toMatch(/undefined|\[object|NaN/);
});

describe('events of nobody known', () => {
  const tell = (parts: Parameters<typeof eventOf>[0]) => explainEvent(eventOf(parts));

  test('by the structure of their JSON', () => {
    const text = tell({
      headers: { ...json, 'user-agent': 'shop/1.0' },
      body: {
        order_id: 12345,
        customer: { name: 'Ada', email: 'ada@example.com', password: 'hunter2', api_key: 'k-1' },
        amount_cents: 4990,
        currency: 'EUR',
        created_at: '2026-11-20T10:00:00Z',
        lines: [1, 2, 3],
        status: 'open',
      },
    });
    expect(text).toContain('does not recognise (shop/1.0)');
    expect(text).toContain('7 fields: order_id, customer (object), amount_cents');
    expect(text).toContain('lines (array of 3)');
    expect(text).toContain('customer.name "Ada"');
    expect(text).toContain('ada@example.com');
    expect(text).toContain('49.90 EUR');
    expect(text).toContain('order_id 12345');
    expect(text).toContain('2026-11-20 10:00:00 UTC');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('k-1');
  });

  test('numbers past 2^53 are told exactly', () => {
    expect(tell({ headers: json, body: '{"id": 12345678901234567890}' })).toContain(
      'id 12345678901234567890',
    );
  });

  test.each([
    ['nothing', undefined, {}, 'It has no body.'],
    ['an array', [1, 2], json, 'a JSON array of 2 items, the first a number'],
    ['an empty object', {}, json, 'a JSON object with no fields'],
    ['a JSON string', '"hello"', json, 'JSON: a string "hello"'],
    ['JSON null', 'null', json, 'JSON: null'],
    ['text', 'hello\nworld', { 'content-type': 'text/plain' }, 'begins: "hello world"'],
    ['XML', '<?xml version="1.0"?><order id="1"/>', {}, 'XML with the root element order'],
    ['HTML', '<!DOCTYPE html><p>x', {}, 'an HTML page'],
    ['broken JSON', '{"a": ', json, 'begins like JSON but is not valid'],
    [
      'a form',
      'a=1&email=ada%40example.com',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'a form with 2 fields: a and email',
    ],
    [
      'a PNG',
      Buffer.from('89504e470d0a1a0aff', 'hex'),
      { 'content-type': 'image/png' },
      'a PNG image',
    ],
    ['bytes', Buffer.from([0xff, 0xfe, 0]), {}, 'binary data of 3 B'],
    [
      'a multipart form',
      '--x\r\n',
      { 'content-type': 'multipart/form-data; boundary=x' },
      'a multipart form',
    ],
  ])('%s', (_, body, headers, expected) => {
    expect(tell({ headers: headers as Record<string, string>, body })).toContain(expected);
  });

  test('handshakes are told as such', () => {
    const meta = tell({ method: 'GET', query: 'hub.mode=subscribe&hub.challenge=1' });
    expect(meta).toContain('Meta');
    expect(tell({ query: 'validationToken=x' })).toContain('Microsoft Graph');
  });
});
