import { endpointOf } from '../../model/live-client.ts';
import { useReloadOnNews } from './use-reload-on-news.ts';

/** Calls `reload` after news of an endpoint, but only once in `restMs`. */
export function useEndpointNews(
  endpointId: string | null,
  reload: () => void,
  restMs: number,
): void {
  useReloadOnNews({
    key: String(endpointId),
    concerns: (news) => news.kind === 'resync' || endpointOf(news) === endpointId,
    reload,
    restMs,
  });
}
