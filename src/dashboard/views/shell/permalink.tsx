import { useEffect } from 'preact/hooks';
import { session } from '../../model/page.ts';
import { eventPath, navigate } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { Nothing } from './nothing.tsx';

/** `/events/{id}`: the address of an event without its endpoint. */
export function Permalink({ eventId }: { eventId: string }) {
  const { value, error, reload } = useLoaded(eventId, (signal) =>
    session.call('GET /api/events/{eventId}', { params: { eventId }, signal }),
  );
  useEffect(() => {
    if (value) navigate(eventPath(value.endpoint_id, eventId), { replace: true });
  }, [value, eventId]);
  if (!error) return <p class="waiting">Loading …</p>;
  if (error.status !== 404) {
    return (
      <Nothing title="The event can’t be shown">
        <Problem error={error} retry={reload} />
      </Nothing>
    );
  }
  return (
    <Nothing title="There is no such event">
      <p>
        <span class="mono wrap">
          <Foreign text={eventId} />
        </span>{' '}
        was deleted, is older than its endpoint keeps events, or is another account’s.
      </p>
    </Nothing>
  );
}
