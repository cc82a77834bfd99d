import { useState } from 'preact/hooks';
import type { Channel } from '../../../api/answers/channel.ts';
import { act, endpoints, session, tell } from '../../model/page.ts';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { fullTimeText } from '../../text/format.ts';
import { NewChannel } from './new-channel.tsx';

/** Where the account hears of its issues. */
export function Channels({ email }: { email: string }) {
  const { value, error, reload } = useLoaded('channels', (signal) =>
    session.call<Channel[]>('GET', '/api/channels', { signal }),
  );
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <section>
      <h2>Channels</h2>
      <p class="muted">Where you hear of issues.</p>
      <button type="button" onClick={() => setMaking(true)}>
        New channel …
      </button>
      {secret !== null && <SecretOnce secret={secret} />}
      {error && <Problem error={error} retry={reload} />}
      {value?.length === 0 && <p class="muted">There are none.</p>}
      <ul class="plain-list lines">
        {value?.map((channel) => (
          <ChannelLine key={channel.id} channel={channel} onChanged={reload} />
        ))}
      </ul>
      {isMaking && (
        <NewChannel
          email={email}
          onMade={(channel) => {
            setSecret(channel.secret ?? null);
            reload();
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </section>
  );
}

function ChannelLine({ channel, onChanged }: { channel: Channel; onChanged(): void }) {
  const [isBusy, once] = useAction();
  const path = `/api/channels/${channel.id}`;
  const target = channel.url ?? channel.to ?? '';
  const run = (done: string, call: () => Promise<unknown>) =>
    once(() =>
      act(async () => {
        await call();
        tell(done);
        onChanged();
      }),
    );
  return (
    <li>
      <div>
        {channel.type} <bdi class="wrap">{target}</bdi>{' '}
        {!channel.confirmed && <span class="badge is-failed">unconfirmed</span>}
        {channel.health.state === 'open' && <span class="badge is-dead">held back</span>}
        <Told channel={channel} />
      </div>
      <div class="actions">
        {!channel.confirmed && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() =>
              run('Another link is on its way', () =>
                session.call('PATCH', path, { body: { to: channel.to } }),
              )
            }
          >
            Send the link again
          </button>
        )}
        <button
          type="button"
          disabled={isBusy}
          onClick={() => run('A test is on its way', () => session.call('POST', `${path}/test`))}
        >
          Test
        </button>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => run('The channel is removed', () => session.call('DELETE', path))}
        >
          Remove
        </button>
      </div>
    </li>
  );
}

function Told({ channel: { kinds, endpoint_ids, last_delivery: last } }: { channel: Channel }) {
  const all = endpoints.value ?? [];
  const nameOf = (id: string) => all.find((one) => one.id === id)?.name ?? id;
  return (
    <p class="muted">
      {[
        kinds?.join(', ') ?? 'all issues',
        endpoint_ids?.map(nameOf).join(', ') ?? 'all endpoints',
        last === null
          ? 'no message yet'
          : `last message ${last.error ? `failed: ${last.error.message}` : last.state}, ${fullTimeText(last.at)}`,
      ].join(' · ')}
    </p>
  );
}
