import type { CallAnswer } from '../../../api/client/typed-call.ts';
import { useCall } from './use-call.ts';
import { useEndpointNews } from './use-endpoint-news.ts';

/** The delay between news and a reload of the figures, ms. A burst of news causes one reload. */
const REST_MS = 1000;

/** Returns the figures of an endpoint's destinations. News of the live stream reloads them. */
export function useDestinationStats(endpointId: string) {
  const loaded = useCall('GET /api/endpoints/{id}/destination-stats', {
    params: { id: endpointId },
  });
  useEndpointNews(endpointId, loaded.reload, REST_MS);
  return loaded;
}

type Stats = CallAnswer<'GET /api/endpoints/{id}/destination-stats'>;

/** Returns the hours of a destination. Null until they are known. */
export function hoursOf(stats: Stats | null, id: string): Stats[number]['hours'] | null {
  return stats && (stats.find(({ destination_id }) => destination_id === id)?.hours ?? []);
}
