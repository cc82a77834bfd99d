import { useState } from 'preact/hooks';
import type { AuditEntry } from '../../../api/answers/audit-entry.ts';
import type { Page } from '../../../api/answers/page.ts';
import { session } from '../../model/page.ts';
import { Problem } from '../../parts/problem.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { fullTimeText, plural } from '../../text/format.ts';

const PAGE_ENTRIES = 20;

/** The changes that were made to the account, newest first. */
export function Audit() {
  const [page, setPage] = useState(1);
  const { value, error, reload } = useLoaded(`audit ${page}`, (signal) =>
    session.call<Page<AuditEntry>>('GET', `/api/audit?page=${page}&limit=${PAGE_ENTRIES}`, {
      signal,
    }),
  );
  const pages = value ? Math.max(1, Math.ceil(value.total / PAGE_ENTRIES)) : page;
  return (
    <section>
      <h2>Audit</h2>
      <p class="muted">
        Changes of the last year{value && `: ${plural(value.total, 'entry', 'entries')}`}.
      </p>
      {error && <Problem error={error} retry={reload} />}
      <ul class="plain-list lines">
        {value?.data.map((entry) => (
          <li key={entry.id}>
            <div>
              <span class="mono">{entry.action}</span>{' '}
              <bdi>{entry.target.name ?? entry.target.id}</bdi>
              <p class="muted">
                {fullTimeText(entry.at)} · {actorText(entry)}
              </p>
              <Changes entry={entry} />
            </div>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" disabled={page <= 1} onClick={() => setPage(page - 1)}>
          Newer
        </button>
        <button type="button" disabled={page >= pages} onClick={() => setPage(page + 1)}>
          Older
        </button>
      </div>
    </section>
  );
}

function Changes({ entry: { changes } }: { entry: AuditEntry }) {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return (
    <>
      {Object.entries(changes ?? {}).map(([field, [before, after]]) => (
        <p key={field} class="muted">
          {field}:{' '}
          {before !== null && (
            <>
              <bdi>{text(before)}</bdi> →{' '}
            </>
          )}
          <bdi>{text(after)}</bdi>
        </p>
      ))}
    </>
  );
}

function actorText({ actor: { type, name, address } }: AuditEntry): string {
  const who = type === 'token' ? `token ${name}` : (name ?? type);
  return [who, address].filter(Boolean).join(' · ');
}
