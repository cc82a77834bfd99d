import type { Provider } from '../provider.ts';
import { sendgridSigner } from './sign.ts';
import { sendgridProof } from './verify.ts';

export const sendgrid = {
  name: 'sendgrid',
  title: 'SendGrid',
  marks: [{ header: 'x-twilio-email-event-webhook-signature', rank: 3 }],
  shapes: [(o) => (o('0', 'sg_event_id') ? o('0', 'event') : undefined)],
  proof: sendgridProof,
  signature: {
    header: 'X-Twilio-Email-Event-Webhook-Signature',
    signer: sendgridSigner,
  },
} satisfies Provider;
