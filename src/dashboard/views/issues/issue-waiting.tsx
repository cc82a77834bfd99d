import type { ListedDeliveryAnswer } from '../../../api/deliveries/delivery-answer.ts';
import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { session } from '../../model/page.ts';
import { eventPath } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { useEndpointNews } from '../../parts/hooks/use-endpoint-news.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';

/** At most this many deliveries are shown. A link leads to the rest. */
const FEW = 5;
/** The delay between news and a reload, ms. */
const REST_MS = 2000;

/** The reason why a delivery waits. The time follows the words for `retry`. */
const WAITS_FOR: Record<NonNullable<ListedDeliveryAnswer['waits_for']>, string> = {
  paused: 'paused',
  unjudged: 'a person',
  breaker: 'held back',
  transform: 'transform',
  order: 'behind an earlier one',
  rate: 'rate',
  retry: 'next attempt',
};

/** Shows the waiting deliveries of an issue's destination. */
export function IssueWaiting({ issue }: { issue: IssueAnswer }) {
  const { endpoint_id, destination_id } = issue;
  const { value, error, reload } = useLoaded(`${endpoint_id} ${destination_id}`, async (signal) => {
    if (endpoint_id === null || destination_id === null) return null;
    return session.call('GET /api/endpoints/{id}/deliveries', {
      params: { id: endpoint_id },
      query: { state: 'pending', destination: destination_id, limit: FEW },
      signal,
    });
  });
  useEndpointNews(endpoint_id, reload, REST_MS);
  if (endpoint_id === null || destination_id === null) return null;
  if (error) return <Problem error={error} retry={reload} />;
  if (!value) return null;
  const { total, data } = value;
  return (
    <section>
      <h2>{total === 0 ? 'Nothing waits' : counted(total, 'delivery waits', 'deliveries wait')}</h2>
      {total === 0 && <p class="muted">No delivery to this destination is open.</p>}
      <ul class="rows">
        {data.map((one) => (
          <li key={one.id}>
            <div class="row-main">
              <a class="mono" href={eventPath(endpoint_id, one.event_id)}>
                {one.event_id}
              </a>
              {one.error && (
                <p class="muted wrap">
                  <Foreign text={one.error.message} />
                </p>
              )}
            </div>
            <span class="muted row-time">
              {one.attempts > 0 && `${counted(one.attempts, 'attempt')} · `}
              {WAITS_FOR[one.waits_for ?? 'retry']}{' '}
              {one.waits_for === 'retry' && one.next_attempt_at && (
                <Time at={one.next_attempt_at} />
              )}
            </span>
          </li>
        ))}
      </ul>
      {total > data.length && (
        <a
          href={`/endpoints/${endpoint_id}/deliveries?state=pending&destination=${destination_id}`}
        >
          See all {total}
        </a>
      )}
    </section>
  );
}
