import { useRef } from 'preact/hooks';
import { counted, formatCount } from '../../../core/text/words.ts';
import { session } from '../../model/page.ts';
import { place } from '../../model/router.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { useReloadOnNews } from '../../parts/hooks/use-reload-on-news.ts';

/** The delay between news and one reload of the number, ms. */
const REST_MS = 5000;

const isAttempt = ({ kind }: { kind: string }) => kind !== 'event';

/** A link to the issues, with the number of open issues. */
export function IssueLink({ isCurrent }: { isCurrent: boolean }) {
  // Each change of the view reloads the number, because an issue may have been resolved.
  const { path } = place.value;
  const { value, reload } = useLoaded(`open issues ${path}`, (signal) =>
    session.call('GET /api/issues', { query: { state: 'open', limit: 1 }, signal }),
  );
  useReloadOnNews({ key: 'open issues', concerns: isAttempt, reload, restMs: REST_MS });
  const last = useRef<number | null>(null);
  // The number stays while another loads, or the server is away.
  last.current = value?.total ?? last.current;
  const open = last.current;
  return (
    <a
      class="side-link"
      href="/issues"
      title="Issues (g i)"
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span>Issues</span>
      {open !== 0 && (
        <>
          <span class="off-screen">
            : {open === null ? 'not known yet' : counted(open, 'open issue')}
          </span>
          <span class={`side-count${open === null ? ' is-unknown' : ''}`} aria-hidden="true">
            {open === null ? '–' : formatCount(open)}
          </span>
        </>
      )}
    </a>
  );
}
