import { useEffect, useState } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { ReplayJobAnswer } from '../../../api/replays/replay-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { session, tell } from '../../model/page.ts';
import { place } from '../../model/router.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { useCall } from '../../parts/hooks/use-call.ts';
import { useEndpointNews } from '../../parts/hooks/use-endpoint-news.ts';
import { useKept } from '../../parts/hooks/use-kept.ts';
import { Pager, pageOf } from '../../parts/pager.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { progressText } from './progress-text.ts';

const PAGE_JOBS = 50;
/** The delay between news and a reload, ms. */
const REST_MS = 1000;
/** The reload interval while a job runs, ms. The stream has no news of queued deliveries. */
const RUNNING_MS = 2000;

const BADGE: Record<ReplayJobAnswer['state'], string> = {
  running: 'is-pending',
  done: 'is-succeeded',
  cancelled: 'is-cancelled',
};

/** Shows an endpoint's bulk replays with their progress, newest first. */
export function ReplayList({ endpoint }: { endpoint: EndpointAnswer }) {
  const loaded = useCall('GET /api/endpoints/{id}/replays', {
    params: { id: endpoint.id },
    query: { page: pageOf(place.value), limit: PAGE_JOBS },
  });
  const { error, reload } = loaded;
  const { value, isStale } = useKept(loaded);
  useEndpointNews(endpoint.id, reload, REST_MS);
  const isRunning = value?.data.some(({ state }) => state === 'running') ?? false;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(reload, RUNNING_MS);
    return () => clearInterval(timer);
  }, [isRunning, reload]);
  const [cancelled, setCancelled] = useState<ReplayJobAnswer | null>(null);
  return (
    <div class={`page-body${isStale ? ' renewing' : ''}`} aria-busy={isStale}>
      <p class="muted" role="status">
        {value ? counted(value.total, 'bulk replay') : !error && 'Loading …'}
      </p>
      {error && <Problem error={error} retry={reload} />}
      {value?.total === 0 && (
        <p class="empty">
          <span>
            Nothing was replayed in bulk. Filter{' '}
            <a href={`/endpoints/${endpoint.id}`}>the events</a>, then replay those that match.
          </span>
        </p>
      )}
      <ul class="plain-list ruled delivery-list">
        {value?.data.map((job) => (
          <li key={job.id}>
            <div>
              <p>
                <span class={`badge ${BADGE[job.state]}`}>{job.state}</span> {progressText(job)}
              </p>
              <p class="muted">
                started <Time at={job.created_at} form="said" /> ·{' '}
                <span class="mono">{job.id}</span>
              </p>
            </div>
            {job.state === 'running' && (
              <button
                type="button"
                aria-label={`Cancel the bulk replay ${job.id} …`}
                onClick={() => setCancelled(job)}
              >
                Cancel …
              </button>
            )}
          </li>
        ))}
      </ul>
      <Pager total={value?.total} size={PAGE_JOBS} />
      {cancelled && (
        <CancelReplay
          endpointId={endpoint.id}
          job={cancelled}
          onCancelled={reload}
          onClose={() => setCancelled(null)}
        />
      )}
    </div>
  );
}

interface CancelReplayProps {
  endpointId: string;
  job: ReplayJobAnswer;
  onCancelled(): void;
  onClose(): void;
}

function CancelReplay({ endpointId, job, onCancelled, onClose }: CancelReplayProps) {
  const cancel = async () => {
    await session.call('DELETE /api/endpoints/{id}/replays/{jobId}', {
      params: { id: endpointId, jobId: job.id },
    });
    tell('The bulk replay is cancelled');
    onCancelled();
  };
  return (
    <FormDialog
      title="Cancel the bulk replay"
      action="Cancel the bulk replay"
      cancel="Go on with it"
      danger
      onSubmit={cancel}
      onClose={onClose}
    >
      <p>{progressText(job)}</p>
      <p>
        No more events are queued, and its open deliveries are cancelled. The events stay: you can
        replay them again.
      </p>
    </FormDialog>
  );
}
