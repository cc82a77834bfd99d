import type { EventHead, EventSummary } from '../../../api/answers/event.ts';
import type { Replayed } from '../../../api/answers/replay.ts';
import { loadEvent, session } from '../../model/page.ts';
import { exportLine } from '../../text/events/export-line.ts';

export type ChosenAction = 'replay' | 'cancel' | 'delete' | 'export';

/** What an action makes of one event. */
export interface Outcome {
  /** Deliveries that were made or ended. */
  deliveries: number;
  /** The line of an export; empty for another action. */
  line: string;
}

type Act = (path: string, event: EventSummary, signal: AbortSignal) => Promise<Partial<Outcome>>;

const ACTS: Record<ChosenAction, Act> = {
  replay: (path) => session.call<Replayed>('POST', `${path}/replay`),
  cancel: cancelOpen,
  delete: async (path) => {
    await session.call('DELETE', path);
    return {};
  },
  export: async (_, { endpoint_id, id }, signal) => ({
    line: exportLine(await loadEvent(endpoint_id, id, signal)),
  }),
};

/** Does an action to one event. What changes something is not aborted: it may be done already. */
export async function actOnEvent(
  action: ChosenAction,
  event: EventSummary,
  signal: AbortSignal,
): Promise<Outcome> {
  const path = `/api/endpoints/${event.endpoint_id}/events/${encodeURIComponent(event.id)}`;
  return { deliveries: 0, line: '', ...(await ACTS[action](path, event, signal)) };
}

/** Cancels the deliveries of an event that are open. One that has just ended isn't an error. */
async function cancelOpen(path: string): Promise<Partial<Outcome>> {
  const { deliveries } = await session.call<EventHead>('GET', `${path}?body=false`);
  let count = 0;
  for (const { id, state } of deliveries) {
    if (state !== 'pending') continue;
    await session.call('POST', `/api/deliveries/${id}/cancel`);
    count++;
  }
  return { deliveries: count };
}
