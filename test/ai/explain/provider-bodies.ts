/** A payload, what a reader must learn from it, and what would be wrong to say. */
export type ProviderBody = [
  name: string,
  headers: Record<string, string>,
  body: unknown,
  facts: string[],
  wrong?: string[],
];

/** Shapes from the providers' documentation, cut down; recognised by header or by body alone. */
export const PROVIDER_BODIES: ProviderBody[] = [
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
    ['Bitbucket', 'Ada pushed to the branch main of team/shop', '709d658', '"Fix"'],
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
