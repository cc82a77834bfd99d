import { useRef, useState } from 'preact/hooks';
import type { AuditEntryAnswer } from '../../../api/accounts/audit-entry-answer.ts';
import { counted, formatCount } from '../../../core/text/words.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session } from '../../model/page.ts';
import { navigate, place, withQuery } from '../../model/router.ts';
import { Options } from '../../parts/form/options.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { isolated } from '../../text/foreign-text.ts';
import { AuditRow } from './audit-row.tsx';
import { ACTION_FILTERS, actorKey, actorName } from './audit-words.ts';

/** Entries that one request reads: the most that the API gives. */
const READ = 200;

const read = (page: number, signal?: AbortSignal) =>
  session.call('GET /api/audit', {
    query: { page, limit: READ },
    ...(signal && { signal }),
  });

/**
 * The changes that were made to the account, newest first. The API doesn't filter them, so
 * this does, over what it has read, and says how much that is.
 */
export function Audit() {
  const here = place.value;
  const action = here.query.get('action') ?? '';
  const actor = here.query.get('actor') ?? '';
  const { value, error, reload } = useLoaded('audit', (signal) => read(1, signal));
  const [older, setOlder] = useState<AuditEntryAnswer[]>([]);
  const [olderError, setOlderError] = useState<ApiError | null>(null);
  const pages = useRef(1);
  const [isBusy, once] = useAction();
  // An entry made meanwhile moves the pages: one may come twice.
  const all = [...new Map([...(value?.data ?? []), ...older].map((one) => [one.id, one])).values()];
  const found = all.filter(
    (one) => one.action.startsWith(action) && (actor === '' || actorKey(one.actor) === actor),
  );
  const actors = new Map(all.map((one) => [actorKey(one.actor), isolated(actorName(one.actor))]));
  const readMore = () =>
    once(async () => {
      setOlderError(null);
      try {
        const next = await read(pages.current + 1);
        pages.current++;
        setOlder((before) => [...before, ...next.data]);
      } catch (failed) {
        setOlderError(asApiError(failed));
      }
    });
  const isFiltered = action !== '' || actor !== '';
  const hasMore = value !== null && pages.current * READ < value.total;
  return (
    <section>
      <h2>Audit</h2>
      <p class="muted">
        Every change of the account in the last year
        {value && `: ${counted(value.total, 'entry', 'entries')}`}.
      </p>
      <div class="inline">
        <select
          aria-label="Action"
          onChange={(event) => navigate(withQuery(here, { action: event.currentTarget.value }))}
        >
          <Options of={ACTION_FILTERS} initial={action} />
        </select>
        <select
          aria-label="Actor"
          onChange={(event) => navigate(withQuery(here, { actor: event.currentTarget.value }))}
        >
          <Options of={[['', 'everybody'], ...actors]} initial={actor} />
        </select>
      </div>
      {error && <Problem error={error} retry={reload} />}
      {!value && !error && <p class="waiting">Loading …</p>}
      <ul class="rows">
        {found.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {value && isFiltered && (
        <p class="muted" role="status">
          {counted(found.length, 'entry fits', 'entries fit')} of{' '}
          {hasMore ? `the newest ${formatCount(all.length)}` : `all ${formatCount(all.length)}`}.
        </p>
      )}
      {olderError && <Problem error={olderError} />}
      {hasMore && (
        <button type="button" disabled={isBusy} onClick={readMore}>
          Read older ones
        </button>
      )}
    </section>
  );
}
