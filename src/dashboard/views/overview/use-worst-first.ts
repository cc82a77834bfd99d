import { useRef } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { OverviewAnswer } from '../../../api/overview/overview-answer.ts';

type Figures = OverviewAnswer['endpoints'][number];

/**
 * Compares two endpoints. Endpoints with dead letters come first, then endpoints with failures,
 * then those with the latest event.
 */
function compare(a: Figures, b: Figures): number {
  return (
    Number(b.dead_letter > 0) - Number(a.dead_letter > 0) ||
    Number(b.failed > 0) - Number(a.failed > 0) ||
    (b.last_at ?? '').localeCompare(a.last_at ?? '')
  );
}

/**
 * Returns the endpoints, failing ones first. The order depends only on the first figures of each
 * range. Later figures don't move the rows, because somebody may be about to click.
 */
export function useWorstFirst(
  list: readonly EndpointAnswer[],
  overview: OverviewAnswer | null,
): readonly EndpointAnswer[] {
  const kept = useRef<{ range: string; places: Map<string, number> } | null>(null);
  if (overview && kept.current?.range !== overview.range) {
    const ids = [...overview.endpoints].sort(compare).map(({ endpoint_id }) => endpoint_id);
    kept.current = { range: overview.range, places: new Map(ids.map((id, i) => [id, i])) };
  }
  const places = kept.current?.places;
  if (!places) return list;
  // A new endpoint comes first.
  const placeOf = ({ id }: EndpointAnswer) => places.get(id) ?? -1;
  return [...list].sort((a, b) => placeOf(a) - placeOf(b));
}
