import { newId } from '../ids.ts';
import type { Channel, ChannelMessage, ChannelType } from './channel.ts';
import { emailContent } from './email-content.ts';
import type { Notice } from './notice.ts';
import { slackBody } from './slack-body.ts';
import { webhookBody } from './webhook-body.ts';

const BODIES: Record<ChannelType, (notice: Notice) => string> = {
  webhook: webhookBody,
  slack: slackBody,
  email: (notice) => JSON.stringify(emailContent(notice)),
};

/** Returns the message that carries a notice, in the format of the channel's type. */
export function channelMessage(
  { key, publicToken, type }: Pick<Channel, 'key' | 'publicToken' | 'type'>,
  notice: Notice,
): ChannelMessage {
  return {
    id: newId('msg', notice.at),
    channelKey: key,
    publicToken,
    contentType: 'application/json',
    body: BODIES[type](notice),
    createdAt: notice.at,
  };
}
