import type { Issue } from '../../../api/answers/issue.ts';
import type { Page } from '../../../api/answers/page.ts';
import { session } from '../../model/page.ts';
import { place } from '../../model/router.ts';
import { useLoaded } from '../../parts/use-loaded.ts';
import { useReloadOnNews } from '../../parts/use-reload-on-news.ts';
import { countText, plural } from '../../text/format.ts';

/** Time that collects news for one look at the number, ms. */
const REST_MS = 5000;

const isAttempt = ({ kind }: { kind: string }) => kind !== 'event';

/** The way to the issues, with the number of open ones. */
export function OpenIssues() {
  const { path } = place.value;
  const { value, reload } = useLoaded(`open issues ${path}`, (signal) =>
    session.call<Page<Issue>>('GET', '/api/issues?state=open&limit=1', { signal }),
  );
  useReloadOnNews({ key: 'open issues', concerns: isAttempt, reload, restMs: REST_MS });
  const open = value?.total ?? 0;
  const about = open === 0 ? 'Issues' : plural(open, 'open issue');
  return (
    <a class="who" href="/issues" title={`${about} (g i)`} aria-label={about}>
      {open === 0 ? 'Issues' : <span class="badge is-dead">▲ {countText(open)}</span>}
    </a>
  );
}
