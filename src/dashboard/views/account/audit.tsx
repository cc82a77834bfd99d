import { useRef, useState } from 'preact/hooks';
import type { AuditEntryAnswer } from '../../../api/accounts/audit-entry-answer.ts';
import { counted, formatCount } from '../../../core/text/words.ts';
import { session } from '../../model/page.ts';
import { place } from '../../model/router.ts';
import { useAttempt } from '../../parts/form/use-attempt.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Pending } from '../../parts/pending.tsx';
import { Problem } from '../../parts/problem.tsx';
import { QuerySelect } from '../../parts/query-select.tsx';
import { isolated } from '../../text/foreign-text.ts';
import { AuditRow } from './audit-row.tsx';
import { ACTION_FILTERS, actorKey, actorName } from './audit-words.ts';

/** How many entries one request loads, which is the API's maximum. */
const READ = 200;

const read = (page: number, signal?: AbortSignal) =>
  session.call('GET /api/audit', {
    query: { page, limit: READ },
    ...(signal && { signal }),
  });

/**
 * Shows the account's changes, newest first. The API has no filter. So the page filters only the
 * loaded entries, and says how many are loaded.
 */
export function Audit() {
  const { query } = place.value;
  const action = query.get('action') ?? '';
  const actor = query.get('actor') ?? '';
  const loaded = useLoaded('audit', (signal) => read(1, signal));
  const { value } = loaded;
  const [older, setOlder] = useState<AuditEntryAnswer[]>([]);
  const pages = useRef(1);
  const { isBusy, error, attempt } = useAttempt();
  // New entries shift the pages, so two pages may contain the same entry.
  const all = [...new Map([...(value?.data ?? []), ...older].map((one) => [one.id, one])).values()];
  const found = all.filter(
    (one) => one.action.startsWith(action) && (actor === '' || actorKey(one.actor) === actor),
  );
  const actors = new Map(all.map((one) => [actorKey(one.actor), isolated(actorName(one.actor))]));
  const readMore = () =>
    attempt(async () => {
      const next = await read(pages.current + 1);
      pages.current++;
      setOlder((before) => [...before, ...next.data]);
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
        <QuerySelect name="action" label="Action" of={ACTION_FILTERS} />
        <QuerySelect name="actor" label="Actor" of={[['', 'everybody'], ...actors]} />
      </div>
      <Pending {...loaded} />
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
      {error && <Problem error={error} />}
      {hasMore && (
        <button type="button" disabled={isBusy} onClick={readMore}>
          Read older entries
        </button>
      )}
    </section>
  );
}
