import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { OverviewAnswer } from '../../../api/overview/overview-answer.ts';

/** The state of an endpoint. If several states apply, the worst one counts. */
export type EndpointLook = 'held' | 'dead_letter' | 'failed' | 'delivered' | 'received' | 'unknown';

/** Signs that differ in shape, for people who can't tell the colours apart, and their words. */
export const ENDPOINT_STATE_TEXT: Record<EndpointLook, [mark: string, words: string]> = {
  held: ['‖', 'paused'],
  dead_letter: ['✕', 'has dead letters'],
  failed: ['▲', 'has failing events'],
  delivered: ['●', 'receives'],
  received: ['○', 'quiet'],
  unknown: ['–', 'not known yet'],
};

type Figures = ReadonlyMap<string, OverviewAnswer['endpoints'][number]>;

/**
 * @param all the overview's figures by endpoint; null until they are known. An endpoint that is
 *   newer than the overview has none, and is quiet
 */
export function lookOf({ id, is_active }: EndpointAnswer, all: Figures | null): EndpointLook {
  if (!is_active) return 'held';
  if (!all) return 'unknown';
  const figures = all.get(id);
  if (!figures) return 'received';
  if (figures.dead_letter > 0) return 'dead_letter';
  if (figures.failed > 0) return 'failed';
  return figures.events > 0 ? 'delivered' : 'received';
}
