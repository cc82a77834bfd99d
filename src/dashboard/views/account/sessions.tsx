import { act, session, tell } from '../../model/page.ts';
import { Problem } from '../../parts/problem.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { fullTimeText, relativeText } from '../../text/format.ts';

interface SessionView {
  id: string;
  created_at: string;
  last_used_at: string;
  address: string | null;
  user_agent: string | null;
  current: boolean;
}

/** The account's logins. */
export function Sessions() {
  const { value, error, reload } = useLoaded('sessions', (signal) =>
    session.call<SessionView[]>('GET', '/api/sessions', { signal }),
  );
  const end = (id: string) =>
    act(async () => {
      await session.call('DELETE', `/api/sessions/${id}`);
      tell('The session is ended');
      reload();
    });
  return (
    <section>
      <h2>Sessions</h2>
      {error && <Problem error={error} retry={reload} />}
      <ul class="plain-list lines">
        {value?.map(({ id, current, address, user_agent, last_used_at, created_at }) => (
          <li key={id}>
            <div>
              <span>{browserText(user_agent)}</span>
              {current && <span class="badge is-delivered">this one</span>}
              <p class="muted">
                {address ?? 'unknown address'} · used {relativeText(last_used_at, Date.now())} ·
                since {fullTimeText(created_at)}
              </p>
            </div>
            {!current && (
              <button type="button" onClick={() => end(id)}>
                End
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The part of a user agent by which users recognise their browser. */
function browserText(userAgent: string | null): string {
  if (userAgent === null) return 'unknown client';
  const known = /(Firefox|Edg|Chrome|Safari|hookrelay|curl)\/[\d.]+/.exec(
    userAgent.replace(/Safari(?=.*Chrome)|Chrome(?=.*Edg)/, ''),
  );
  const system = /Windows|Mac OS X|Android|iPhone|iPad|Linux/.exec(userAgent);
  return [known?.[0] ?? userAgent.slice(0, 60), system?.[0]].filter(Boolean).join(', ');
}
