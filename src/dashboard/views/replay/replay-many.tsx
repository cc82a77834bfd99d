import { useState } from 'preact/hooks';
import type { Endpoint } from '../../api/api-types.ts';
import type { Filter } from '../model/event-list.ts';
import { act, destinationsOf, session, tell } from '../model/page.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { plural } from '../text/format.ts';

interface ReplayManyProps {
  endpoint: Endpoint;
  filter: Filter;
  onClose(): void;
}

/** The dialog of a bulk replay. It shows the server's count of events before it replays them. */
export function ReplayMany({ endpoint, filter, onClose }: ReplayManyProps) {
  const path = `/api/endpoints/${endpoint.id}/replay`;
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  const { value: counted, error } = useLoaded('dry', (signal) =>
    session.call<{ matching: number }>('POST', path, { body: { ...given, dry_run: true }, signal }),
  );
  const { value: destinations } = useLoaded('to', () => destinationsOf(endpoint.id));
  const [isBusy, setBusy] = useState(false);
  const replay = async () => {
    setBusy(true);
    const done = await act(() => session.call<{ queued: number }>('POST', path, { body: given }));
    if (done) tell(`${plural(done.queued, 'event')} will be replayed`);
    onClose();
  };
  return (
    <Dialog title="Bulk replay" onClose={onClose}>
      <dl class="facts">
        <dt>Endpoint</dt>
        <dd>{endpoint.name}</dd>
        {Object.entries(given).map(([name, value]) => (
          <div key={name} class="contents">
            <dt>{name}</dt>
            <dd class="mono">{value}</dd>
          </div>
        ))}
        <dt>To</dt>
        <dd>
          {destinations &&
            (destinations.length === 0
              ? 'no destination: nothing would be delivered'
              : plural(destinations.length, 'destination'))}
        </dd>
      </dl>
      {error ? (
        <Problem error={error} />
      ) : (
        <p role="status">
          {counted ? (
            <>
              <strong>{plural(counted.matching, 'event')}</strong> would be delivered again.
            </>
          ) : (
            'Counting …'
          )}
        </p>
      )}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="primary"
          onClick={replay}
          disabled={isBusy || !counted || counted.matching === 0}
        >
          Replay {counted ? plural(counted.matching, 'event') : ''}
        </button>
      </div>
    </Dialog>
  );
}
