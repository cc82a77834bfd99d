import { opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';

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
    `Telegram reports ${worded(kind)} from ${name}${opt` in ${chat}`}${opt`: ${words}`}.`,
    opt`It is update ${facts.text('update_id')}${opt` of ${it.time('date')}`}${opt`, chat ${it.first('chat.id', 'message.chat.id')}`}.`,
  );
};
