import type { Provider } from '../provider.ts';
import { twilioSigner } from './sign.ts';
import { twilioProof } from './verify.ts';

export const twilio = {
  name: 'twilio',
  title: 'Twilio',
  marks: [{ header: 'x-twilio-signature', rank: 3 }],
  shapes: [
    (o) => (o('AccountSid') && (o('MessageSid') ?? o('SmsSid')) ? 'message' : undefined),
    (o) => (o('AccountSid') && o('CallSid') ? 'call' : undefined),
  ],
  namedTypes: ['message', 'call'],
  proof: twilioProof,
  once: {
    by: [
      ['header.i-twilio-idempotency-token'],
      ['form.MessageSid', 'form.MessageStatus'],
      ['form.CallSid', 'form.CallStatus', 'form.SequenceNumber'],
    ],
  },
  signature: {
    header: 'X-Twilio-Signature',
    signer: twilioSigner,
    rejection: {
      says: /twilio request validation failed|twilio.{0,40}(signature|validat)/i,
      secret: "the account's auth token",
      cause:
        "Twilio's signature covers the URL that Twilio called, which is the capture URL and not the destination's.",
      step: 'Have the service check the signature against the capture URL, as it stands in Twilio: validateRequest(authToken, signature, captureUrl, params)',
    },
  },
} satisfies Provider;
