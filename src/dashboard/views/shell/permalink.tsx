import { useEffect } from 'preact/hooks';
import { eventPath, navigate } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { useCall } from '../../parts/hooks/use-call.ts';
import { Problem } from '../../parts/problem.tsx';
import { Nothing } from './nothing.tsx';

/** Opens the event of `/events/{id}`, an address without the endpoint. */
export function Permalink({ eventId }: { eventId: string }) {
  const { value, error, reload } = useCall('GET /api/events/{eventId}', { params: { eventId } });
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
        <Foreign class="mono wrap" text={eventId} /> was deleted, is older than its endpoint keeps
        events, or is another account’s.
      </p>
    </Nothing>
  );
}
