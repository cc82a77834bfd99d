import { useState } from 'preact/hooks';
import type { Destination, SecretRotation } from '../../../api/answers/destination.ts';
import type { Endpoint } from '../../../api/answers/endpoint.ts';
import { act, session, tell } from '../../model/page.ts';
import { useAction } from '../../parts/form/use-action.ts';
import { useNow } from '../../parts/hooks/use-now.ts';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { healthText, waitingText } from '../../text/destination-condition.ts';
import { fullTimeText } from '../../text/format.ts';
import { ReplayMany } from '../replay/replay-many.tsx';
import { DiscardWaiting } from './discard-waiting.tsx';
import { RotateSecret } from './rotate-secret.tsx';

interface DestinationControlProps {
  endpoint: Endpoint;
  destination: Destination;
  onChanged(): void;
}

/** A destination's health, what waits for it, and what a person does about it. */
export function DestinationControl({ endpoint, destination, onChanged }: DestinationControlProps) {
  const { id, state, health, waiting, secret, filter } = destination;
  const path = `/api/endpoints/${endpoint.id}/destinations/${id}`;
  const now = useNow(health.next_probe_at !== null);
  const [isBusy, once] = useAction();
  const [dialog, setDialog] = useState<'discard' | 'judge' | 'rotate' | null>(null);
  const [rotated, setRotated] = useState<SecretRotation | null>(null);
  const change = (to: Destination['state'], done: string) =>
    once(() =>
      act(async () => {
        await session.call('PATCH', path, { body: { state: to } });
        tell(done);
        onChanged();
      }),
    );
  const probe = () =>
    once(() =>
      act(async () => {
        await session.call('POST', `${path}/probe`);
        tell(
          waiting.count === 0
            ? 'Nothing waits: the next event probes the destination'
            : 'A probe is on its way',
        );
        onChanged();
      }),
    );
  const isOpen = health.state === 'open';
  return (
    <>
      <p>
        <span class={health.state === 'healthy' ? 'muted' : `is-${health.state}`}>
          {healthText(health, now)}
        </span>
        <span class="muted"> · {waitingText(waiting, now)}</span>
      </p>
      <div class="actions">
        {state === 'active' ? (
          <button type="button" disabled={isBusy} onClick={() => change('paused', 'Paused')}>
            Pause
          </button>
        ) : (
          <button type="button" disabled={isBusy} onClick={() => change('active', 'Resumed')}>
            Resume
          </button>
        )}
        {isOpen && state === 'active' && (
          <button type="button" disabled={isBusy} onClick={probe}>
            Probe now
          </button>
        )}
        {waiting.count > 0 && (
          <button type="button" onClick={() => setDialog('discard')}>
            Discard what waits …
          </button>
        )}
        {filter !== null && state !== 'disabled' && (
          <button type="button" onClick={() => setDialog('judge')}>
            Judge again what it filtered …
          </button>
        )}
        <button type="button" onClick={() => setDialog('rotate')}>
          {secret === undefined ? 'Add a secret …' : 'Rotate the secret …'}
        </button>
      </div>
      <div role="status">
        {rotated?.secret !== undefined && (
          <SecretOnce secret={rotated.secret}>
            {rotated.previous_expires_at !== null &&
              `The old one signs too until ${fullTimeText(rotated.previous_expires_at)}. `}
            <button type="button" class="link" onClick={() => setRotated(null)}>
              I have it
            </button>
          </SecretOnce>
        )}
      </div>
      {dialog === 'discard' && (
        <DiscardWaiting
          path={path}
          destination={destination}
          onDiscarded={onChanged}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'judge' && (
        <ReplayMany
          endpoint={endpoint}
          filter={{}}
          filteredBy={destination}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'rotate' && (
        <RotateSecret
          path={path}
          destination={destination}
          onRotated={(rotation) => {
            setRotated(rotation);
            tell('The secret is new');
            onChanged();
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}
