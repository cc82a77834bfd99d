import type { Endpoint } from '../core/model.ts';
import { deliveryTarget } from '../delivery/transports/webhook/delivery-target.ts';
import type { DestinationStore } from '../store/contract/destinations.ts';

/** Returns the URLs at which the destinations would get an event with this path and query. */
export async function deliveryUrls(
  destinations: Pick<DestinationStore, 'list'>,
  { key }: Pick<Endpoint, 'key'>,
  { path, query }: { path: string; query: string },
): Promise<string[]> {
  const all = await destinations.list(key);
  return all.flatMap(({ url, settings }) => {
    const isWhole = settings.path === 'ignore';
    const target = isWhole ? deliveryTarget(url, '', '') : deliveryTarget(url, path, query);
    return target ? [target.origin + target.path] : [];
  });
}
