import type { Fresh } from '../sampling/fresh.ts';
import type { Sample, SampleContent } from '../sampling/sample.ts';
import { twilio } from './twilio.ts';

/** Fictitious phone numbers (North American Numbering Plan, 555-01xx). */
const CALLER = '+14155550142';
const CALLED = '+14155550100';
const API_VERSION = '2010-04-01';

export const twilioSamples: Sample[] = [
  sample(
    'message',
    'an SMS came in',
    'https://www.twilio.com/docs/messaging/guides/webhook-request',
    message,
  ),
  sample('call', 'a call comes in', 'https://www.twilio.com/docs/voice/twiml', call),
];

/** The headers come from a received delivery. Twilio documents only the signature's. */
function sample(
  event: string,
  description: string,
  source: string,
  fields: (fresh: Fresh) => Record<string, string>,
): Sample {
  return {
    name: `twilio.${event}`,
    provider: 'twilio',
    signature: twilio.signature,
    description,
    format: 'form',
    source,
    build: (fresh): SampleContent => {
      const deliveryId = fresh.uuid();
      return {
        payload: fields(fresh),
        headers: [
          ['Accept', '*/*'],
          ['Content-Type', 'application/x-www-form-urlencoded; charset=UTF-8'],
          ['User-Agent', 'TwilioProxy/1.1'],
          ['I-Twilio-Idempotency-Token', deliveryId],
        ],
        deliveryId,
      };
    },
  };
}

function place(prefix: string): Record<string, string> {
  return {
    [`${prefix}City`]: 'SAN FRANCISCO',
    [`${prefix}State`]: 'CA',
    [`${prefix}Zip`]: '94105',
    [`${prefix}Country`]: 'US',
  };
}

function message(fresh: Fresh): Record<string, string> {
  const sid = `SM${fresh.hex(32)}`;
  return {
    ...place('To'),
    ...place('From'),
    SmsMessageSid: sid,
    NumMedia: '0',
    SmsSid: sid,
    SmsStatus: 'received',
    Body: 'When will order 1001 arrive? Thanks & greetings!',
    To: CALLED,
    NumSegments: '1',
    MessageSid: sid,
    AccountSid: `AC${fresh.hex(32)}`,
    From: CALLER,
    ApiVersion: API_VERSION,
  };
}

function call(fresh: Fresh): Record<string, string> {
  return {
    AccountSid: `AC${fresh.hex(32)}`,
    ApiVersion: API_VERSION,
    CallSid: `CA${fresh.hex(32)}`,
    CallStatus: 'ringing',
    Called: CALLED,
    ...place('Called'),
    Caller: CALLER,
    ...place('Caller'),
    Direction: 'inbound',
    From: CALLER,
    ...place('From'),
    To: CALLED,
    ...place('To'),
    StirVerstat: 'TN-Validation-Passed-A',
  };
}
