import type { Fresh } from '../sampling/fresh.ts';
import type { Sample, SampleContent } from '../sampling/sample.ts';
import { sendgrid } from './sendgrid.ts';

export const sendgridSamples: Sample[] = [
  {
    name: 'sendgrid.events',
    provider: 'sendgrid',
    signature: sendgrid.signature,
    description: 'a mail was processed, delivered, opened; another one bounced',
    format: 'json-lines',
    source: 'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event',
    build: (fresh): SampleContent => ({
      payload: events(fresh),
      headers: [
        ['Content-Type', 'application/json;charset=utf-8'],
        ['User-Agent', 'SendGrid Event API'],
      ],
      // SendGrid identifies events by sg_event_id in the body.
      deliveryId: fresh.uuid(),
    }),
  },
];

function events(fresh: Fresh) {
  const mail = (email: string) => {
    const id = fresh.base62(22);
    return {
      email,
      'smtp-id': `<${id}@geopod-ismtpd-1>`,
      sg_message_id: `${id}.recvd-${fresh.hex(10)}-${fresh.base62(5).toLowerCase()}-1-${fresh.hex(8).toUpperCase()}-1.0`,
      category: ['orders'],
      order_id: '1001',
    };
  };
  const event = (name: string, offsetS: number) => ({
    event: name,
    sg_event_id: Buffer.from(`${name}-0-${fresh.digits(8)}-${fresh.base62(22)}`).toString(
      'base64url',
    ),
    timestamp: fresh.seconds(offsetS),
  });
  const ada = mail('ada@example.com');
  const nobody = mail('nobody@example.com');
  return [
    { ...ada, ...event('processed', -42), send_at: 0 },
    {
      ...ada,
      ...event('delivered', -40),
      ip: '198.51.100.25',
      response: '250 2.0.0 OK: queued',
      tls: 1,
    },
    {
      ...ada,
      ...event('open', -5),
      ip: '203.0.113.24',
      sg_content_type: 'html',
      sg_machine_open: false,
      useragent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
    {
      ...nobody,
      ...event('bounce', -38),
      bounce_classification: 'Invalid Address',
      ip: '198.51.100.25',
      reason: '550 5.1.1 The email account that you tried to reach does not exist',
      status: '5.1.1',
      tls: 1,
      type: 'bounce',
    },
  ];
}
