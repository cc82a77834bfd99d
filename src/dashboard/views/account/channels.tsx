import { useState } from 'preact/hooks';
import type { ChannelAnswer } from '../../../api/channels/channel-answer.ts';
import { useCall } from '../../parts/hooks/use-call.ts';
import { useReloadWhileVisible } from '../../parts/hooks/use-reload-while-visible.ts';
import { Pending } from '../../parts/pending.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { ChannelForm } from './channel-form.tsx';
import { ChannelRow } from './channel-row.tsx';

/** Polling interval, ms. */
const POLL_MS = 5000;

/** Shows the channels that notify the account of its issues. */
export function Channels() {
  const loaded = useCall('GET /api/channels');
  const { value, reload } = loaded;
  // A channel may send a message at any time. The live stream has no news of that.
  useReloadWhileVisible(reload, POLL_MS);
  /** The channel that the form changes; null for a new channel. */
  const [edited, setEdited] = useState<ChannelAnswer | null | undefined>();
  const [made, setMade] = useState<ChannelAnswer | null>(null);
  const saved = (channel: ChannelAnswer) => {
    if (edited === null) setMade(channel);
    reload();
  };
  const removed = ({ id }: ChannelAnswer) => {
    if (made?.id === id) setMade(null);
    reload();
  };
  return (
    <section>
      <div class="section-head">
        <h2>Channels</h2>
        <button type="button" class="primary" onClick={() => setEdited(null)}>
          New channel …
        </button>
      </div>
      <p class="muted">Where you hear of issues: when one opens, and when it is over.</p>
      {made?.secret !== undefined && <SecretOnce secret={made.secret} />}
      <Pending {...loaded} />
      {value?.length === 0 && (
        <p class="muted">
          There is no channel. <a href="/issues">The list of issues</a> shows every issue anyway.
        </p>
      )}
      <ul class="rows">
        {value?.map((channel) => (
          <ChannelRow
            key={channel.id}
            channel={channel}
            onEdit={() => setEdited(channel)}
            onChanged={reload}
            onRemoved={() => removed(channel)}
          />
        ))}
      </ul>
      {edited !== undefined && (
        <ChannelForm channel={edited} onSaved={saved} onClose={() => setEdited(undefined)} />
      )}
    </section>
  );
}
