import { useEffect } from 'preact/hooks';
import { session } from '../model/page.ts';
import { eventPath, navigate } from '../model/router.ts';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

/** `/events/{id}`: the address of an event without its endpoint. */
export function Permalink({ eventId }: { eventId: string }) {
  const { value, error } = useLoaded(eventId, async (signal) => {
    const path = `/api/events/${encodeURIComponent(eventId)}`;
    return await session.call<{ endpoint_id: string }>('GET', path, { signal });
  });
  useEffect(() => {
    if (value) navigate(eventPath(value.endpoint_id, eventId), { replace: true });
  }, [value, eventId]);
  return error ? <Problem error={error} /> : <p class="waiting">Loading …</p>;
}
