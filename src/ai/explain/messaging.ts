import { entryOf } from '../../core/entry-of.ts';
import { counted, listed, opt } from '../words.ts';
import { type Describe, sentences, worded } from './describe.ts';

/** https://docs.slack.dev/apis/events-api, slash commands and interactivity */
export const describeSlack: Describe = ({ facts, type }) => {
  if (facts.is('type', 'url_verification')) {
    return [
      'Slack checks that this URL is yours before it sends events (url_verification).',
      'hookrelay has answered its challenge already, so there is nothing to do.',
    ];
  }
  if (facts.text('command') !== null) {
    return sentences(
      `${facts.first('user_name', 'user_id') ?? 'Somebody'} used the slash command ${facts.text('command')}${opt` in #${facts.text('channel_name')}`}${opt` of ${facts.text('team_domain')}`}${opt`: ${facts.quote('text', 160)}`}.`,
      'Slack waits 3 seconds for an answer, and more can follow at its response_url.',
    );
  }
  const inner = facts.at('event');
  const workspace = opt` in the workspace ${facts.text('team_id')}`;
  const kind = inner.text('type') ?? type;
  if (kind === null) return [];
  const channel = inner.first('channel', 'item.channel', 'channel.id');
  const user = inner.first('user', 'user.id', 'bot_id') ?? 'Somebody';
  const id = opt`It is event ${facts.text('event_id')} of ${facts.time('event_time')}.`;
  if (kind === 'message' || kind === 'app_mention') {
    const did = inner.text('subtype')
      ? `caused the message event "${inner.text('subtype')}"`
      : kind === 'app_mention'
        ? 'mentioned the app'
        : inner.has('thread_ts')
          ? 'answered in a thread'
          : 'wrote';
    return sentences(
      `The Slack user ${user} ${did}${opt` in the channel ${channel}`}${workspace}${opt`: ${inner.quote('text', 200)}`}.`,
      inner.count('files') > 0 && `${counted(inner.count('files'), 'file')} came with it.`,
      id,
    );
  }
  if (kind === 'reaction_added' || kind === 'reaction_removed') {
    return sentences(
      `The Slack user ${user} ${kind === 'reaction_added' ? 'added' : 'removed'} the reaction :${inner.text('reaction') ?? '?'}:${opt` in the channel ${channel}`}${workspace}.`,
      id,
    );
  }
  return sentences(
    `Slack tells of "${kind}"${opt` by the user ${inner.first('user', 'user.id')}`}${opt` in the channel ${channel}`}${workspace}.`,
    id,
  );
};

/** https://www.twilio.com/docs/messaging/guides/webhook-request and /docs/voice/twiml */
export const describeTwilio: Describe = ({ facts }) => {
  const place = [facts.text('FromCity'), facts.text('FromCountry')].filter((part) => part !== null);
  const route = `from ${facts.text('From') ?? '?'}${place.length > 0 ? ` (${place.join(', ')})` : ''} to ${facts.text('To') ?? '?'}`;
  if (facts.has('CallSid')) {
    return sentences(
      `A phone call ${route} is ${facts.text('CallStatus') ?? 'changing'}${opt` (${facts.text('Direction')})`}.`,
      opt`It is call ${facts.text('CallSid')} of account ${facts.text('AccountSid')}${opt`, ${facts.text('CallDuration')} s long`}.`,
      facts.is('CallStatus', 'ringing') &&
        'Twilio expects TwiML in answer, which says what to do with it.',
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

/** https://core.telegram.org/bots/api#update: one member beside `update_id` names the kind. */
export const describeTelegram: Describe = ({ facts }) => {
  const { value } = facts;
  if (typeof value !== 'object' || value === null) return [];
  const kind = Object.keys(value).find((name) => name !== 'update_id');
  if (kind === undefined) return [];
  const it = facts.at(kind);
  const from = it.at('from');
  const name = from.first('username', 'first_name') ?? 'somebody';
  const chat = it.first('chat.title', 'chat.username', 'message.chat.title');
  const words = it.quote('text', 200) ?? it.quote('caption', 200) ?? it.quote('data', 200);
  return sentences(
    `Telegram tells of ${worded(kind)} from ${name}${opt` in ${chat}`}${opt`: ${words}`}.`,
    opt`It is update ${facts.text('update_id')}${opt` of ${it.time('date')}`}${opt`, chat ${it.first('chat.id', 'message.chat.id')}`}.`,
  );
};

/** https://discord.com/developers/docs/interactions/receiving-and-responding */
export const describeDiscord: Describe = ({ facts, type }) => {
  const names: Record<string, string> = {
    1: 'a ping',
    2: 'a command',
    3: 'a click on a component',
    4: 'an autocompletion',
    5: 'a submitted form',
  };
  const user = facts.first('member.user.username', 'user.username');
  if (facts.is('type', 1)) {
    return ['Discord checks the URL with a ping, which wants {"type": 1} in answer.'];
  }
  if (type !== null) return [`Discord tells of ${worded(type)}${opt` by ${user}`}.`];
  const kind = entryOf(names, facts.text('type'));
  if (!kind) return [];
  return sentences(
    `Discord tells of ${kind}${opt` ${facts.quote('data.name')}`}${opt` by ${user}`}${opt` in guild ${facts.text('guild_id')}`}${opt`, channel ${facts.text('channel_id')}`}.`,
    'It wants an answer within 3 seconds.',
  );
};

/** https://developers.facebook.com/docs/graph-api/webhooks, WhatsApp, Messenger and Instagram */
export const describeMeta: Describe = ({ facts }) => {
  const entries = facts.items('entry');
  const changes = entries.flatMap((entry) => entry.items('changes'));
  const messages = [
    ...changes.flatMap((change) => change.items('value.messages')),
    ...entries.flatMap((entry) => entry.items('messaging')),
  ];
  const statuses = changes.flatMap((change) => change.items('value.statuses'));
  const product = facts.is('object', 'whatsapp_business_account')
    ? 'WhatsApp'
    : facts.is('object', 'instagram')
      ? 'Instagram'
      : `Meta (${facts.text('object') ?? '?'})`;
  const [first] = messages;
  if (first) {
    const from = first.first('from', 'sender.id') ?? '?';
    const words = first.quote('text.body', 200) ?? first.quote('message.text', 200);
    return sentences(
      `${product} tells of ${counted(messages.length, 'message')}, the first from ${from}${opt`: ${words}`}${words ? '' : opt` of type ${first.text('type')}`}.`,
      opt`It came to ${facts.first('entry.0.changes.0.value.metadata.display_phone_number', 'entry.0.id')}.`,
    );
  }
  if (statuses[0]) {
    return [
      `${product} tells of ${counted(statuses.length, 'status')}: the message to ${statuses[0].text('recipient_id') ?? '?'} is ${statuses[0].text('status') ?? 'changed'}.`,
    ];
  }
  const fields = [...new Set(changes.flatMap((change) => change.text('field') ?? []))];
  return [
    `${product} tells of changes${fields.length > 0 ? ` of ${listed(fields)}` : ''} in ${counted(facts.count('entry'), 'object')}${opt` (${facts.text('entry.0.id')})`}.`,
  ];
};

/** https://developers.intercom.com/docs/references/webhooks/webhook-models */
export const describeIntercom: Describe = ({ facts, type }) => {
  if (type === null) return [];
  const item = facts.at('data.item');
  const who = item.first('source.author.email', 'source.author.name', 'email', 'name');
  return sentences(
    `Intercom tells of ${type}: the ${worded(item.text('type') ?? 'item')} ${item.text('id') ?? ''}${opt` of ${who}`}${opt`, ${item.quote('source.body', 160)}`}.`,
    opt`It belongs to the workspace ${facts.text('app_id')}${opt` and is ${item.text('state')}`}.`,
  );
};

/** https://developers.zoom.us/docs/api/webhooks/ */
export const describeZoom: Describe = ({ facts, type }) => {
  if (type === null) return [];
  if (type === 'endpoint.url_validation') {
    return [
      'Zoom checks that this URL is yours (endpoint.url_validation).',
      'It wants its plainToken back with an HMAC of it, which your service has to answer.',
    ];
  }
  const object = facts.at('payload.object');
  return sentences(
    `Zoom tells of ${type}${opt`: ${object.quote('topic')}`}${opt` (${object.text('id')})`}${opt`, participant ${object.first('participant.user_name', 'participant.email')}`}.`,
    opt`It ${object.has('end_time') ? 'ended' : 'began'} ${object.time('end_time') ?? object.time('start_time')}${opt`, and was to last ${object.counted('duration', 'minute')}`}.`,
  );
};

/** Several of HubSpot's events come in one request: https://developers.hubspot.com/docs/api/webhooks */
export const describeHubspot: Describe = ({ facts }) => {
  const list = facts.items('', 100);
  const [first] = list;
  if (!first) return [];
  const kinds = [...new Set(list.flatMap((item) => item.text('subscriptionType') ?? []))];
  return sentences(
    `HubSpot tells of ${counted(facts.count(''), 'change')} (${listed(kinds)}) in the account ${first.text('portalId') ?? '?'}.`,
    opt`The first is of object ${first.text('objectId')}${opt`: ${first.text('propertyName')} is now ${first.quote('propertyValue') ?? first.text('propertyValue')}`}${opt`, at ${first.time('occurredAt')}`}.`,
  );
};
