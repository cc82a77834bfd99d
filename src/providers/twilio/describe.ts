import { counted, opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';

/** https://www.twilio.com/docs/messaging/guides/webhook-request and /docs/voice/twiml */
export const describeTwilio: Describe = ({ facts }) => {
  const place = [facts.text('FromCity'), facts.text('FromCountry')].filter((part) => part !== null);
  const route = `from ${facts.text('From') ?? '?'}${place.length > 0 ? ` (${place.join(', ')})` : ''} to ${facts.text('To') ?? '?'}`;
  if (facts.has('CallSid')) {
    return sentences(
      `A phone call ${route} is ${facts.text('CallStatus') ?? 'changing'}${opt` (${facts.text('Direction')})`}.`,
      opt`It is call ${facts.text('CallSid')} of account ${facts.text('AccountSid')}${opt`, ${facts.text('CallDuration')} s long`}.`,
      facts.is('CallStatus', 'ringing') &&
        'Twilio expects TwiML in answer, with instructions for the call.',
    );
  }
  const sid = facts.first('MessageSid', 'SmsSid');
  if (sid === null) return [];
  const channel = facts.text('From')?.startsWith('whatsapp:') ? 'WhatsApp message' : 'text message';
  const status = facts.first('MessageStatus', 'SmsStatus');
  const isInbound = status === 'received' || facts.has('Body');
  const media = facts.number('NumMedia') ?? 0;
  return sentences(
    isInbound
      ? `A ${channel} came in ${route}${opt`: ${facts.quote('Body', 200)}`}.`
      : `The ${channel} ${route} is now ${status ?? 'changed'}${opt`, error ${facts.text('ErrorCode')}`}.`,
    media > 0 && `${counted(media, 'file')} came with it.`,
    `It is message ${sid}${opt` of account ${facts.text('AccountSid')}`}.`,
  );
};
