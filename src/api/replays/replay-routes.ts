import type * as v from 'valibot';
import { requireReplayable } from '../../core/flow/require-replayable.ts';
import { newId } from '../../core/ids.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { ClaimTerms, NewDeliveries } from '../../store/contract/claims.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import type { EventFilter } from '../../store/contract/events.ts';
import type { ReplayStore, ReplayTarget } from '../../store/contract/replays.ts';
import { changesBetween } from '../audit-note.ts';
import { defined } from '../defined.ts';
import { presentFilters } from '../events/event-filter-schema.ts';
import type { SearchTurns } from '../events/search-turns.ts';
import { windowOf } from '../list-page-schema.ts';
import { existing } from '../not-found.ts';
import { type Route, routesOf, WithStatus } from '../route.ts';
import type { BulkReplayAnswer, ReplayedAnswer } from './replay-answer.ts';
import { REPLAY_CALLS } from './replay-calls.ts';
import { replayJobView } from './replay-job-view.ts';
import type { replaySchema } from './replay-schema.ts';

/** Most one-off URLs to which one endpoint's events are replayed. */
const MOST_ONE_OFF_URLS = 1000;

export interface ReplayRoutesOptions {
  replays: ReplayStore;
  destinations: Pick<DestinationStore, 'list'>;
  clock: Clock;
  searches: SearchTurns;
  /** Most concurrent bulk replays of an account. */
  mostJobs: number;
  /** Throws `invalid_input` for a URL that must not be delivered to. */
  checkUrl(url: string): Promise<URL>;
  /** The scheduler's terms for claiming a replay's deliveries at once. */
  claimTerms(): ClaimTerms;
  onReplayed(deliveries: NewDeliveries): void;
  /** Called when a bulk replay is queued. */
  onJobStarted(): void;
  /** Called with the destinations whose deliveries may go now. */
  onFreed(destinationKeys: ReadonlySet<number>): void;
}

/** Replays of one event, and bulk replays with their progress. */
export function replayRoutes(options: ReplayRoutesOptions): Route[] {
  const { replays, destinations, clock } = options;

  async function targetOf({
    destination_ids: ids,
    url,
  }: v.InferOutput<typeof replaySchema>): Promise<ReplayTarget> {
    if (url !== undefined) {
      const { href } = await options.checkUrl(url);
      const id = newId('dst', clock.now());
      return { to: 'url', url: href, id, mostUrls: MOST_ONE_OFF_URLS };
    }
    return ids === undefined ? { to: 'all' } : { to: 'destinations', ids };
  }

  return routesOf(REPLAY_CALLS, {
    async 'POST /api/endpoints/{id}/events/{eventId}/replay'(context): Promise<ReplayedAnswer> {
      const { endpoint, event, body, record } = context;
      const target = await targetOf(body);
      const terms = options.claimTerms();
      const replayed = existing(
        await replays.replay(endpoint.key, event.seq, clock.now(), terms, target),
        'event',
      );
      options.onReplayed(replayed);
      record({
        target: { type: 'event', id: event.id, name: event.eventType },
        ...(target.to !== 'all' && { changes: changesBetween(null, body) }),
      });
      return { queued: true, event_id: event.id, deliveries: replayed.deliveries };
    },
    async 'POST /api/endpoints/{id}/replay'({ principal, endpoint, body, signal, record }) {
      const { dry_run, destination_ids: ids, filtered_by: filteredBy, ...filters } = body;
      const given = presentFilters(filters);
      const filter: EventFilter = { ...given, ...defined({ filteredBy }) };
      const named = filteredBy === undefined ? ids : [filteredBy];
      // The store refuses them too, but only after a search.
      if (named) requireReplayable(named, await destinations.list(endpoint.key), endpoint.id);
      const search = <T>(run: (until: AbortSignal) => Promise<T>) =>
        options.searches.run(principal.user.id, filter, signal, run);
      if (dry_run) {
        const matching = await search((until) => replays.count(endpoint.key, filter, until));
        return new WithStatus(200, { matching });
      }
      const started = await search((until) => {
        const now = clock.now();
        const job = { id: newId('job', now), endpointKey: endpoint.key, filter, now };
        const to = defined({ destinationIds: ids });
        return replays.startJob({ ...job, ...to }, options.mostJobs, until);
      });
      options.onJobStarted();
      const answer: BulkReplayAnswer = { queued: started.matching, job_id: started.id };
      record({
        target: { type: 'endpoint', id: endpoint.id, name: endpoint.settings.name },
        changes: changesBetween(null, {
          ...given,
          ...defined({ destination_ids: ids, filtered_by: filteredBy }),
          ...answer,
        }),
      });
      return answer;
    },
    async 'GET /api/endpoints/{id}/replays'({ endpoint, query }) {
      const { page, limit, offset } = windowOf(query);
      const { jobs, total } = await replays.jobs(endpoint.key, { offset, limit });
      return { data: jobs.map(replayJobView), page, limit, total };
    },
    async 'GET /api/endpoints/{id}/replays/{jobId}'({ endpoint, params }) {
      return replayJobView(existing(await replays.job(endpoint.key, params.jobId), 'replay'));
    },
    async 'DELETE /api/endpoints/{id}/replays/{jobId}'({ endpoint, params, record }) {
      const id = params.jobId;
      const job = existing(await replays.job(endpoint.key, id), 'replay');
      const cancelled = existing(await replays.cancelJob(endpoint.key, id), 'replay');
      options.onFreed(cancelled.freed);
      if (job.state === 'running') record({ target: { type: 'replay', id, name: null } });
    },
  });
}
