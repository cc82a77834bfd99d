import { entryOf } from '../../core/entry-of.ts';
import { opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';

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
  const isEvent = facts.has('event');
  if (!isEvent && (facts.is('type', 0) || facts.is('type', 1))) {
    return [
      'Discord checks this URL with a ping.',
      'hookrelay answers it where the endpoint’s source is discord and the signature fits.',
    ];
  }
  if (type !== null) return [`Discord reports ${worded(type)}${opt` by ${user}`}.`];
  const kind = entryOf(names, facts.text('type'));
  if (!kind) return [];
  return sentences(
    `Discord reports ${kind}${opt` ${facts.quote('data.name')}`}${opt` by ${user}`}${opt` in guild ${facts.text('guild_id')}`}${opt`, channel ${facts.text('channel_id')}`}.`,
    'It wants an answer within 3 seconds.',
  );
};
