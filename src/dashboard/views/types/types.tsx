import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { session } from '../../model/page.ts';
import { place } from '../../model/router.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { useReloadWhileVisible } from '../../parts/hooks/use-reload-while-visible.ts';
import { Pending } from '../../parts/pending.tsx';
import { TypeList } from './type-list.tsx';
import { TypeSchema } from './type-schema.tsx';

/** Polling interval, ms. The view polls, because the stream has no news of learned types. */
const POLL_MS = 5000;
/** The API's largest page of issues. */
const MOST_DRIFTS = 200;

/** Shows an endpoint's event types, or the schema of the type in the address. */
export function Types({ endpoint }: { endpoint: EndpointAnswer }) {
  const { id } = endpoint;
  const { query } = place.value;
  const type = query.get('type');
  const loaded = useLoaded(id, async (signal) => {
    const [types, drifts] = await Promise.all([
      session.call('GET /api/endpoints/{id}/types', { params: { id }, signal }),
      session.call('GET /api/issues', {
        query: { endpoint: id, kind: 'drift', state: 'open', limit: MOST_DRIFTS },
        signal,
      }),
    ]);
    return { types, drifts: drifts.data };
  });
  const { value } = loaded;
  useReloadWhileVisible(loaded.reload, POLL_MS);
  return (
    <div class="page-body">
      <Pending {...loaded} />
      {value &&
        (type === null ? (
          <TypeList endpoint={endpoint} {...value} />
        ) : (
          <TypeSchema
            key={type}
            endpoint={endpoint}
            type={type}
            format={query.get('format') ?? undefined}
            {...value}
          />
        ))}
    </div>
  );
}
