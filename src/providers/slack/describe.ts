import { counted, opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';

/** Buttons, menus, shortcuts and modals: https://docs.slack.dev/interactivity/handling-user-interaction */
function describeInteraction(facts: PayloadReader): string[] {
  const kind = facts.text('type');
  if (kind === null) return [];
  const action = facts.at('actions.0');
  const user = facts.first('user.username', 'user.name', 'user.id') ?? 'Somebody';
  return sentences(
    `The Slack user ${user} caused the interaction "${kind}"${opt` in the channel ${facts.first('channel.name', 'channel.id')}`}${opt` of the workspace ${facts.first('team.domain', 'team.id')}`}.`,
    opt`The action is ${action.first('action_id', 'name')}${opt` with the value ${action.quote('value', 160) ?? action.quote('selected_option.value', 160)}`}.`,
    opt`Its callback id is ${facts.first('callback_id', 'view.callback_id')}.`,
    'Slack waits 3 seconds for an answer.',
  );
}

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
  if (facts.has('trigger_id') || facts.has('response_url')) return describeInteraction(facts);
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
    `Slack reports "${kind}"${opt` by the user ${inner.first('user', 'user.id')}`}${opt` in the channel ${channel}`}${workspace}.`,
    id,
  );
};
