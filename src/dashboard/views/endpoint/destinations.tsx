import { useState } from 'preact/hooks';
import type { Endpoint } from '../../../api/answers/endpoint.ts';
import { endpointOf } from '../../model/live-stream.ts';
import { act, destinationsOf, session } from '../../model/page.ts';
import type { DestinationStats } from '../../model/types.ts';
import { useAction } from '../../parts/form/use-action.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { useReloadOnNews } from '../../parts/hooks/use-reload-on-news.ts';
import { useStats } from '../../parts/hooks/use-stats.ts';
import { Problem } from '../../parts/problem.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { base64 } from '../../text/binary.ts';
import { DestinationCard } from './destination-card.tsx';

const SECRET_BYTES = 24;
/** Delay between news and a reload of the list, ms. The server counts what waits each time. */
const REST_MS = 2000;

export function Destinations({ endpoint }: { endpoint: Endpoint }) {
  const { value: list, error, reload } = useLoaded(endpoint.id, () => destinationsOf(endpoint.id));
  // Attempts change the health of destinations and what waits for them; events add to it.
  useReloadOnNews({
    key: endpoint.id,
    concerns: (news) => news.kind === 'resync' || endpointOf(news) === endpoint.id,
    reload,
    restMs: REST_MS,
  });
  const { value: stats } = useStats<DestinationStats[]>(endpoint.id, 'destination-stats');
  return (
    <div class="page-body">
      <AddDestination endpoint={endpoint} onAdded={reload} />
      {error && <Problem error={error} retry={reload} />}
      {list?.length === 0 && (
        <p class="empty">
          Events are stored and not delivered. A destination gets the events that are captured after
          you add it. You can replay older events to it.
        </p>
      )}
      <ul class="plain-list">
        {list?.map((destination) => (
          <DestinationCard
            key={destination.id}
            endpoint={endpoint}
            destination={destination}
            hours={
              stats?.find(({ destination_id }) => destination_id === destination.id)?.hours ?? []
            }
            onChanged={reload}
          />
        ))}
      </ul>
    </div>
  );
}

function AddDestination({ endpoint, onAdded }: { endpoint: Endpoint; onAdded(): void }) {
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const [isBusy, once] = useAction();
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const url = String(new FormData(form).get('url'));
    await once(async () => {
      const added = await act(() =>
        session.call('POST', `/api/endpoints/${endpoint.id}/destinations`, {
          body: { url, ...(secret !== '' && { secret }) },
        }),
      );
      if (added === undefined) return;
      form.reset();
      setMade(secret === '' ? null : secret);
      setSecret('');
      onAdded();
    });
  };
  return (
    <section>
      <h2>Add a destination</h2>
      <form class="inline grow" onSubmit={submit}>
        <input
          name="url"
          type="url"
          required
          placeholder="https://example.com/webhooks"
          aria-label="URL of the destination"
        />
        <input
          aria-label="Signing secret, if any"
          placeholder="Signing secret (optional)"
          value={secret}
          onInput={(event) => setSecret(event.currentTarget.value)}
          autocomplete="off"
          maxLength={256}
        />
        <button
          type="button"
          onClick={() =>
            setSecret(`whsec_${base64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`)
          }
        >
          Generate
        </button>
        <button type="submit" class="primary" disabled={isBusy}>
          Add
        </button>
      </form>
      {made !== null && <SecretOnce secret={made} />}
    </section>
  );
}
