import { healthOf } from '../../core/flow/health.ts';
import { type Endpoint, EVENT_STATUS } from '../../core/model.ts';
import type {
  HeldDestination,
  Overview,
  OverviewAttempts,
  OverviewWindow,
} from '../../store/contract/events.ts';
import { healthView, waitingView } from '../destinations/destination-view.ts';
import { durationOrNull } from '../duration-or-null.ts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import type { IssueAnswer } from '../issues/issue-answer.ts';
import type * as api from './overview-answer.ts';
import type { OverviewRange } from './overview-range.ts';

export interface OverviewParts {
  range: OverviewRange;
  window: OverviewWindow;
  found: Overview;
  endpoints: readonly Endpoint[];
  issues: { open: number; newest: IssueAnswer[] };
  silent: readonly string[];
}

const noEvents = (): api.EventCountsAnswer =>
  Object.fromEntries(EVENT_STATUS.names.map((status) => [status, 0])) as api.EventCountsAnswer;
const NO_ATTEMPTS: OverviewAttempts = { succeeded: 0, failed: 0, latency: null };

const attemptsView = ({ succeeded, failed, latency }: OverviewAttempts) => ({
  attempts: { succeeded, failed },
  latency,
});

export function overviewView(parts: OverviewParts): api.OverviewAnswer {
  const { range, window, found, endpoints, issues, silent } = parts;
  const { from, bucketMs, buckets } = window;
  const all = Array.from({ length: buckets }, noEvents);
  const total = noEvents();
  const byEndpoint = new Map(
    endpoints.map(({ id }) => [id, { ...noEvents(), buckets: Array<number>(buckets).fill(0) }]),
  );
  for (const { endpointId, bucket, status, count } of found.events) {
    const endpoint = byEndpoint.get(endpointId);
    if (!endpoint) continue;
    (all[bucket] as api.EventCountsAnswer)[status] += count;
    total[status] += count;
    endpoint[status] += count;
    endpoint.buckets[bucket] = (endpoint.buckets[bucket] as number) + count;
  }
  const lastAt = new Map(found.lastAt.map(({ endpointId, at }) => [endpointId, at]));
  const attempts = new Map(found.attempts.map((one) => [one.bucket, one]));
  return {
    range,
    from: isoTime(from),
    to: isoTime(from + buckets * bucketMs),
    bucket_ms: bucketMs,
    buckets: all.map((events, i) => ({
      at: isoTime(from + i * bucketMs),
      events,
      ...attemptsView(attempts.get(i) ?? NO_ATTEMPTS),
    })),
    totals: { events: total, ...attemptsView(found.allAttempts), sampled: found.sampled },
    waiting: waitingView(found.waiting),
    issues,
    destinations: found.held.map(heldView),
    silent: endpoints
      .filter(({ id }) => silent.includes(id))
      .map(({ id, settings: { name, expect_every } }) => ({
        endpoint_id: id,
        name,
        last_at: isoTimeOrNull(lastAt.get(id) ?? null),
        expect_every: durationOrNull(expect_every),
      })),
    endpoints: [...byEndpoint].map(
      ([id, { received, delivered, failed, dead_letter, buckets }]) => ({
        endpoint_id: id,
        events: received + delivered + failed + dead_letter,
        failed,
        dead_letter,
        last_at: isoTimeOrNull(lastAt.get(id) ?? null),
        buckets,
      }),
    ),
  };
}

function heldView({
  endpointId,
  destination,
  flow,
  waiting,
}: HeldDestination): api.HeldDestinationAnswer {
  const { id, url, settings } = destination;
  return {
    id,
    endpoint_id: endpointId,
    name: settings.name,
    url,
    state: settings.state,
    health: healthView(healthOf(flow)),
    waiting: waitingView(waiting),
  };
}
