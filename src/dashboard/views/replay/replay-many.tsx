import { useState } from 'preact/hooks';
import type { CallAnswer, CallBody } from '../../../api/client/typed-call.ts';
import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { type AsTyped, asTyped } from '../../model/as-typed.ts';
import type { ListFilter } from '../../model/list-filter.ts';
import { destinationsOf, session, tell } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { bodyOf, isOpen, type ReplayChoice } from './replay-choice.ts';
import { TargetFields } from './target-fields.tsx';

/** Deadline of the count, ms. The server searches with a rule for up to 30 s. */
const COUNT_TIMEOUT_MS = 40_000;

interface ReplayManyProps {
  endpoint: EndpointAnswer;
  filter: Partial<ListFilter>;
  /**
   * Replays only the events that this destination's filter dropped, and only to this destination.
   * Absent for a replay of all matching events.
   */
  filteredBy?: Pick<DestinationAnswer, 'id' | 'name' | 'url'>;
  onClose(): void;
}

/** Returns the number of matching events. The two kinds of answer name this number differently. */
const matchingIn = (answer: CallAnswer<'POST /api/endpoints/{id}/replay'>): number =>
  'matching' in answer ? answer.matching : answer.queued;

/** The dialog of a bulk replay. Shows the server's count of events before the replay. */
export function ReplayMany({ endpoint, filter, filteredBy, onClose }: ReplayManyProps) {
  // A time such as “the last hour” counts back from now. Both requests must use the same instant.
  const [given] = useState(
    (): Partial<ListFilter> =>
      Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')),
  );
  const params = { id: endpoint.id };
  const body: AsTyped<CallBody<'POST /api/endpoints/{id}/replay'>> = {
    ...given,
    ignore_case: given.ignore_case === 'true' || undefined,
    waiting: given.waiting === 'true' || undefined,
    filtered_by: filteredBy?.id,
  };
  const { value: matching, error } = useLoaded('dry', async (signal) =>
    matchingIn(
      await session.call('POST /api/endpoints/{id}/replay', {
        params,
        body: asTyped({ ...body, dry_run: true }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(COUNT_TIMEOUT_MS)]),
      }),
    ),
  );
  const { value: destinations } = useLoaded('to', () => destinationsOf(endpoint.id));
  const [target, setTarget] = useState<ReplayChoice>({ to: 'all' });
  const replay = async () => {
    const started = await session.call('POST /api/endpoints/{id}/replay', {
      params,
      body: asTyped({ ...body, ...bodyOf(target) }),
    });
    tell(`${counted(matchingIn(started), 'event')} will be replayed`);
  };
  return (
    <FormDialog
      title={filteredBy ? 'Judge again' : 'Bulk replay'}
      action={`${filteredBy ? 'Judge' : 'Replay'} ${matching === null ? '' : counted(matching, 'event')}`}
      disabled={!matching || isOpen(target)}
      fields={['destination_ids']}
      onSubmit={replay}
      onClose={onClose}
    >
      {(failed, setFailed) => (
        <>
          <dl class="facts">
            <dt>Endpoint</dt>
            <dd>
              <Foreign text={endpoint.name} />
            </dd>
            {Object.entries(given).map(([name, value]) => (
              <div key={name} class="contents">
                <dt>{name}</dt>
                <dd class="mono wrap">
                  <Foreign text={value} />
                </dd>
              </div>
            ))}
            {filteredBy && (
              <>
                <dt>To</dt>
                <dd class="wrap">
                  <Foreign text={filteredBy.name ?? filteredBy.url} />
                </dd>
              </>
            )}
          </dl>
          {filteredBy ? (
            <p>
              The destination’s filter dropped these events. Its present filter judges them again,
              and those that pass are delivered.
            </p>
          ) : (
            <TargetFields
              destinations={destinations}
              target={target}
              error={failed}
              withUrl={false}
              onChange={(to) => {
                setTarget(to);
                setFailed(null);
              }}
            />
          )}
          {destinations?.length === 0 && (
            <p>There is no destination: nothing would be delivered.</p>
          )}
          {error ? <Problem error={error} /> : <Count matching={matching} {...{ filteredBy }} />}
        </>
      )}
    </FormDialog>
  );
}

interface CountProps {
  /** Null while the server counts. */
  matching: number | null;
  filteredBy: ReplayManyProps['filteredBy'];
}

function Count({ matching, filteredBy }: CountProps) {
  if (matching === null) return <p role="status">Counting …</p>;
  return (
    <p role="status">
      <strong>{counted(matching, 'event')}</strong> would be{' '}
      {filteredBy ? 'judged again' : 'delivered again'}.
    </p>
  );
}
