import { useCall } from './use-call.ts';
import { useEndpointNews } from './use-endpoint-news.ts';

/** Delay between news and a reload of the figures, ms. A burst of news causes one reload. */
const REST_MS = 1000;

/** Returns the figures of an endpoint's destinations. The live stream keeps them up to date. */
export function useDestinationStats(endpointId: string) {
  const loaded = useCall('GET /api/endpoints/{id}/destination-stats', {
    params: { id: endpointId },
  });
  useEndpointNews(endpointId, loaded.reload, REST_MS);
  return loaded;
}
