import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Destination } from '../../../api/answers/destination.ts';
import type { Endpoint } from '../../../api/answers/endpoint.ts';
import { act, session, tell } from '../../model/page.ts';
import type { DestinationStats } from '../../model/types.ts';
import { CodeChoice } from '../../parts/code/code-choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { durationText, fullTimeText, plural } from '../../text/format.ts';
import { RECIPES } from '../../text/recipes.ts';
import { DestinationControl } from './destination-control.tsx';
import { EditDestination } from './edit-destination.tsx';

type Hour = DestinationStats['hours'][number];

interface DestinationCardProps {
  endpoint: Endpoint;
  destination: Destination;
  hours: Hour[];
  /** It was changed or removed. */
  onChanged(): void;
}

/** A destination: what became of its deliveries in 24 hours, how to verify them, its end. */
export function DestinationCard({ endpoint, destination, hours, onChanged }: DestinationCardProps) {
  const [isEditing, setEditing] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const [isRecipeOpen, setRecipeOpen] = useState(false);
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  const spent = hours.reduce(
    (sum, hour) => sum + (hour.mean_ms ?? 0) * (hour.succeeded + hour.failed),
    0,
  );
  const all = succeeded + failed;
  const slowest = Math.max(0, ...hours.map(({ max_ms }) => max_ms ?? 0));
  const { name, url, secret, previous_expires_at, state, order_by, health, created_at, sign_as } =
    destination;
  return (
    <li class="card">
      <div class="card-head">
        {name === null ? (
          <span class="mono card-name wrap">{url}</span>
        ) : (
          <span class="card-name wrap">{name}</span>
        )}
        {all > 0 && failed > 0 && (
          <span class={`badge ${succeeded === 0 ? 'is-dead_letter' : 'is-failed'}`}>
            ▲ {plural(failed, 'failed attempt')}
          </span>
        )}
        {state !== 'active' && <span class="badge is-paused">{state}</span>}
        {health.state !== 'healthy' && (
          <span class={`badge ${health.state === 'open' ? 'is-dead' : 'is-failed'}`}>
            {health.state === 'open' ? 'breaker open' : 'failing'}
          </span>
        )}
        <span class="fill" />
        <button type="button" class="quiet" onClick={() => setEditing(true)}>
          Edit …
        </button>
        <button type="button" class="quiet" onClick={() => setRemoving(true)}>
          Remove …
        </button>
      </div>
      {name !== null && <p class="mono wrap">{url}</p>}
      <p class="muted">
        {secret === undefined ? (
          sign_as === null && 'not signed'
        ) : (
          <>signed, secret {<span class="mono">{secret}</span>}</>
        )}
        {previous_expires_at !== undefined &&
          `, the old one too until ${fullTimeText(previous_expires_at)}`}
        {sign_as !== null && `${secret === undefined ? '' : ', and '}signed as the provider signs`}
        {' · '}added {fullTimeText(created_at)}
        {order_by !== null && (
          <>
            {' · in order of '}
            {order_by === '*' ? 'capture' : <span class="mono wrap">{order_by}</span>}
          </>
        )}
        {secret !== undefined && (
          <>
            {' · '}
            <button
              type="button"
              class="link"
              aria-expanded={isRecipeOpen}
              onClick={() => setRecipeOpen(!isRecipeOpen)}
            >
              how to verify
            </button>
          </>
        )}
      </p>
      <DestinationControl endpoint={endpoint} destination={destination} onChanged={onChanged} />
      {isRecipeOpen && <CodeChoice choices={RECIPES} label={(name) => `Verification in ${name}`} />}
      {all === 0 ? (
        <p class="muted">No attempt in the last 24 hours.</p>
      ) : (
        <>
          <p>
            <strong>{Math.floor((1000 * succeeded) / all) / 10} %</strong> of{' '}
            {plural(all, 'attempt')} in 24 h succeeded, in {durationText(spent / all)} on average,{' '}
            {durationText(slowest)} at most.
          </p>
          <LazyChart hours={hours} />
        </>
      )}
      {isEditing && (
        <EditDestination
          endpoint={endpoint}
          destinationId={destination.id}
          onChanged={onChanged}
          onClose={() => setEditing(false)}
        />
      )}
      {isRemoving && (
        <RemoveDialog
          endpoint={endpoint}
          destination={destination}
          onRemoved={onChanged}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  );
}

type ChartProps = {
  at: number[];
  success: (number | null)[];
  meanMs: (number | null)[];
};

/** The chart's code is loaded where there is something to draw. */
function LazyChart({ hours }: { hours: Hour[] }) {
  const [Chart, setChart] = useState<ComponentType<ChartProps> | null>(null);
  useEffect(() => {
    void import('../../parts/chart/hour-chart.tsx').then(({ default: chart }) =>
      setChart(() => chart),
    );
  }, []);
  const series = useMemo(
    () => ({
      at: hours.map(({ at }) => Date.parse(at) / 1000),
      success: hours.map(({ succeeded, failed }) =>
        succeeded + failed === 0 ? null : (100 * succeeded) / (succeeded + failed),
      ),
      meanMs: hours.map(({ mean_ms }) => mean_ms),
    }),
    [hours],
  );
  return Chart ? <Chart {...series} /> : <div class="chart" />;
}

interface RemoveDialogProps {
  endpoint: Endpoint;
  destination: Destination;
  onRemoved(): void;
  onClose(): void;
}

function RemoveDialog({ endpoint, destination, onRemoved, onClose }: RemoveDialogProps) {
  const [cancels, setCancels] = useState(false);
  const [isBusy, once] = useAction();
  const remove = () =>
    once(async () => {
      const path = `/api/endpoints/${endpoint.id}/destinations/${destination.id}`;
      await act(async () => {
        await session.call('DELETE', `${path}${cancels ? '?pending=cancel' : ''}`);
        tell('The destination is removed');
        onRemoved();
      });
      onClose();
    });
  return (
    <Dialog title="Remove the destination" onClose={onClose}>
      <p class="mono wrap">{destination.url}</p>
      <p>No new events go to it. What it still waits for</p>
      <label class="choice">
        <input type="radio" name="pending" checked={!cancels} onChange={() => setCancels(false)} />
        is delivered, with its retries
      </label>
      <label class="choice">
        <input type="radio" name="pending" checked={cancels} onChange={() => setCancels(true)} />
        is cancelled
      </label>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="destructive" disabled={isBusy} onClick={remove}>
          Remove
        </button>
      </div>
    </Dialog>
  );
}
