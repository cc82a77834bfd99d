import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type {
  DestinationAnswer,
  SecretRotation,
} from '../../../api/destinations/destination-answer.ts';
import type { DestinationStatsAnswer } from '../../../api/endpoints/destination-stats-answer.ts';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { session, tell, tellWithUndo } from '../../model/page.ts';
import { destinationPath } from '../../model/router.ts';
import { useAct } from '../../parts/form/use-act.ts';
import { Menu } from '../../parts/menu.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Time } from '../../parts/time.tsx';
import { ReplayMany } from '../replay/replay-many.tsx';
import { ConditionLine, StateBadges } from './destination-state.tsx';
import { DiscardWaiting } from './discard-waiting.tsx';
import { RemoveDestination } from './remove-destination.tsx';
import { RotateSecret } from './rotate-secret.tsx';

interface DestinationControlProps {
  endpoint: EndpointAnswer;
  destination: DestinationAnswer;
  /** Null until they are known. */
  hours: DestinationStatsAnswer['hours'] | null;
  children: ComponentChildren;
  /** Whether the destination's own view shows this, which needs no link to itself. */
  isOwnView?: boolean;
  /** Shows how to verify the destination's signatures. */
  onRecipe?(): void;
  onChanged(): void;
  /** Called after the destination was removed; `onChanged` by default. */
  onRemoved?(): void;
}

/** Shows a destination's state, its waiting deliveries, and its actions. */
export function DestinationControl(props: DestinationControlProps) {
  const { endpoint, destination, hours, children, isOwnView, onRecipe, onChanged } = props;
  const { id, state, health, waiting, secret, filter } = destination;
  const isActive = state === 'active';
  const params = { id: endpoint.id, destinationId: id };
  const [isBusy, run] = useAct();
  const [dialog, setDialog] = useState<'discard' | 'judge' | 'rotate' | 'remove' | null>(null);
  const [rotated, setRotated] = useState<SecretRotation | null>(null);
  const setState = async (to: DestinationAnswer['state']) => {
    await session.call('PATCH /api/endpoints/{id}/destinations/{destinationId}', {
      params,
      body: { state: to },
    });
    onChanged();
  };
  const change = (to: DestinationAnswer['state'], done: string) =>
    run(async () => {
      await setState(to);
      tellWithUndo(done, () => setState(state));
    });
  const probe = () =>
    run(async () => {
      await session.call('POST /api/endpoints/{id}/destinations/{destinationId}/probe', { params });
      tell(
        waiting.count === 0
          ? 'Nothing waits: the next event probes the destination'
          : 'A probe is on its way',
      );
      onChanged();
    });
  const items = [
    ...(waiting.count > 0
      ? [{ text: 'Discard what waits …', isDestructive: true, run: () => setDialog('discard') }]
      : []),
    ...(filter !== null && state !== 'disabled'
      ? [{ text: 'Judge again what it filtered …', run: () => setDialog('judge') }]
      : []),
    {
      text: secret === undefined ? 'Add a secret …' : 'Rotate the secret …',
      run: () => setDialog('rotate'),
    },
    ...(secret !== undefined && onRecipe ? [{ text: 'How to verify', run: onRecipe }] : []),
    { text: 'Remove …', isDestructive: true, run: () => setDialog('remove') },
  ];
  return (
    <>
      <div class="card-head">
        {children}
        <StateBadges state={state} health={health} />
        <span class="fill" />
        <span class="card-actions">
          {health.state === 'open' && isActive && (
            <button type="button" disabled={isBusy} onClick={probe}>
              Probe now
            </button>
          )}
          <button
            type="button"
            disabled={isBusy}
            onClick={() =>
              isActive ? change('paused', 'Paused: deliveries wait') : change('active', 'Resumed')
            }
          >
            {isActive ? 'Pause' : 'Resume'}
          </button>
          {!isOwnView && (
            <a class="button" href={destinationPath(endpoint.id, id)}>
              Edit
            </a>
          )}
          <Menu label="More for this destination" class="is-right" items={items}>
            ⋯
          </Menu>
        </span>
      </div>
      <ConditionLine destination={destination} hours={hours} />
      <div role="status" class="contents">
        {rotated?.secret !== undefined && (
          <SecretOnce secret={rotated.secret}>
            {rotated.previous_expires_at !== null && (
              <>
                The old one signs too until <Time at={rotated.previous_expires_at} exact />.{' '}
              </>
            )}
            <button type="button" class="link" onClick={() => setRotated(null)}>
              I have it
            </button>
          </SecretOnce>
        )}
      </div>
      {dialog === 'discard' && (
        <DiscardWaiting
          params={params}
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
          params={params}
          destination={destination}
          onRotated={(rotation) => {
            setRotated(rotation);
            tell('The secret is new');
            onChanged();
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'remove' && (
        <RemoveDestination
          params={params}
          destination={destination}
          onRemoved={props.onRemoved ?? onChanged}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}
