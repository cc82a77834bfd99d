import type { CallParams } from '../../../api/client/typed-call.ts';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { loadEvent, session } from '../../model/page.ts';
import { exportLine } from './export-line.ts';

export type ChosenAction = 'replay' | 'cancel' | 'delete' | 'export';

/** The result of an action on one event. */
export interface ActionOutcome {
  /** How many deliveries were made or ended. */
  deliveries: number;
  /** The line of an export; empty for other actions. */
  line: string;
}

type EventParams = CallParams<'GET /api/endpoints/{id}/events/{eventId}'>;
type Act = (params: EventParams, signal: AbortSignal) => Promise<Partial<ActionOutcome>>;

const ACTS: Record<ChosenAction, Act> = {
  replay: (params) => session.call('POST /api/endpoints/{id}/events/{eventId}/replay', { params }),
  cancel: cancelOpen,
  delete: async (params) => {
    await session.call('DELETE /api/endpoints/{id}/events/{eventId}', { params });
    return {};
  },
  export: async ({ id, eventId }, signal) => ({
    line: exportLine(await loadEvent(id, eventId, signal)),
  }),
};

/**
 * Runs an action on one event. Only reads can be aborted, because a change may already have
 * happened on the server.
 */
export async function actOnEvent(
  action: ChosenAction,
  event: EventSummaryAnswer,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const params = { id: event.endpoint_id, eventId: event.id };
  return { deliveries: 0, line: '', ...(await ACTS[action](params, signal)) };
}

/** Cancels the open deliveries of an event. A delivery that has just ended causes no error. */
async function cancelOpen(params: EventParams): Promise<Partial<ActionOutcome>> {
  const { deliveries } = await session.call('GET /api/endpoints/{id}/events/{eventId}', {
    params,
    query: { body: false },
  });
  let count = 0;
  for (const { id, state } of deliveries) {
    if (state !== 'pending') continue;
    await session.call('POST /api/deliveries/{deliveryId}/cancel', { params: { deliveryId: id } });
    count++;
  }
  return { deliveries: count };
}
