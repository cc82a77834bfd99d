import { useState } from 'preact/hooks';
import type { ChannelAnswer } from '../../../api/channels/channel-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { session, tell } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { useAct } from '../../parts/form/use-act.ts';
import { Time } from '../../parts/time.tsx';
import { isolated } from '../../text/foreign-text.ts';
import { channelState, TYPE_TEXT, targetOf } from './channel-text.ts';
import { EndpointNames } from './endpoint-names.tsx';
import { useChannelTest } from './use-channel-test.ts';

interface ChannelRowProps {
  channel: ChannelAnswer;
  onEdit(): void;
  onChanged(): void;
  onRemoved(): void;
}

export function ChannelRow({ channel, onEdit, onChanged, onRemoved }: ChannelRowProps) {
  const params = { channelId: channel.id };
  const target = targetOf(channel);
  const name = `${TYPE_TEXT[channel.type]} ${isolated(target)}`;
  const [isBusy, run] = useAct();
  const [isAsking, setAsking] = useState(false);
  const test = useChannelTest(channel, onChanged);
  const sendLink = () =>
    run(async () => {
      await session.call('PATCH /api/channels/{channelId}', { params, body: { to: channel.to } });
      tell('Another link is on its way');
      onChanged();
    });
  const remove = async () => {
    await session.call('DELETE /api/channels/{channelId}', { params });
    tell('The channel is removed');
    onRemoved();
  };
  return (
    <li class="channel">
      <div class="row-main">
        <p class="row-name">
          {TYPE_TEXT[channel.type]} <Foreign class="wrap" text={target} />
        </p>
        <State channel={channel} />
        <p class="muted">
          {channel.kinds?.join(', ') ?? 'all issues'} · <EndpointNames ids={channel.endpoint_ids} />
        </p>
        <p class={`test-result is-${test.look}`} role="status">
          {test.text !== '' && <Foreign text={test.text} />}
        </p>
      </div>
      <div class="actions">
        {!channel.confirmed && (
          <button type="button" disabled={isBusy} onClick={sendLink}>
            Send the link again
          </button>
        )}
        <button type="button" disabled={test.isBusy} aria-label={`Test ${name}`} onClick={test.run}>
          Test
        </button>
        <button type="button" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit …
        </button>
        <button type="button" aria-label={`Remove ${name}`} onClick={() => setAsking(true)}>
          Remove …
        </button>
      </div>
      {isAsking && (
        <FormDialog
          title="Remove the channel?"
          action="Remove"
          danger
          onSubmit={remove}
          onClose={() => setAsking(false)}
        >
          <p class="wrap">
            {TYPE_TEXT[channel.type]} <Foreign text={target} /> gets no more messages. Those on
            their way are dropped.
          </p>
        </FormDialog>
      )}
    </li>
  );
}

function State({ channel }: { channel: ChannelAnswer }) {
  const { text, at, look } = channelState(channel);
  const { state, consecutive_failures, next_probe_at } = channel.health;
  const error = channel.last_delivery?.error;
  return (
    <p class={`channel-state is-${look}`}>
      <Foreign text={text} /> {at && <Time at={at} form={state === 'healthy' ? 'said' : 'span'} />}
      {state !== 'healthy' && <> · {counted(consecutive_failures, 'failure')} in a row</>}
      {state !== 'healthy' && error && (
        <>
          {' '}
          · <Foreign text={error.message} />
        </>
      )}
      {next_probe_at && (
        <>
          {' '}
          · tried again <Time at={next_probe_at} form="said" />
        </>
      )}
    </p>
  );
}
