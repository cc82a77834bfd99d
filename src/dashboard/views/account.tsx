import { useState } from 'preact/hooks';
import type { ApiToken } from '../../api/api-types.ts';
import { useObservable } from '../model/observable.ts';
import { act, session, tell } from '../model/page.ts';
import { Code } from '../parts/code.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { fullTimeText, relativeText } from '../text/format.ts';

interface SessionView {
  id: string;
  created_at: string;
  last_used_at: string;
  address: string | null;
  user_agent: string | null;
  current: boolean;
}

export function Account() {
  const state = useObservable(session.state);
  if (state.kind !== 'signed-in') return null;
  const { email, plan } = state.user;
  return (
    <div class="page-body narrow">
      <div class="page-head">
        <h1>{email}</h1>
        <button type="button" onClick={() => act(() => session.logout())}>
          Sign out
        </button>
      </div>
      <section>
        <h2>Plan: {plan}</h2>
        {plan === 'free' ? (
          <>
            <p class="muted">
              Everything except the AI panel works. The server’s operator grants it on the machine:
            </p>
            <Code
              text={`hookrelay users set-plan ${email} starter`}
              label="Command that grants the plan"
            />
          </>
        ) : (
          <p class="muted">With the AI panel.</p>
        )}
      </section>
      <Sessions />
      <Tokens />
    </div>
  );
}

function Sessions() {
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

function Tokens() {
  const { value, error, reload } = useLoaded('tokens', (signal) =>
    session.call<ApiToken[]>('GET', '/api/tokens', { signal }),
  );
  const [made, setMade] = useState<string | null>(null);
  const create = async (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get('name'));
    const created = await act(() =>
      session.call<{ token: string }>('POST', '/api/tokens', { body: { name } }),
    );
    if (!created) return;
    form.reset();
    setMade(created.token);
    reload();
  };
  const revoke = (id: string) =>
    act(async () => {
      await session.call('DELETE', `/api/tokens/${id}`);
      tell('The token is revoked');
      reload();
    });
  return (
    <section>
      <h2>API tokens</h2>
      <p class="muted">For scripts and CI. They last until they are revoked.</p>
      <form class="inline" onSubmit={create}>
        <input
          name="name"
          required
          maxLength={100}
          placeholder="What it is for"
          aria-label="Name of the token"
        />
        <button type="submit">New token</button>
      </form>
      {made !== null && (
        <p class="once">
          Keep it now, it is not shown again: <span class="mono wrap">{made}</span>{' '}
          <CopyButton text={made} label="Copy the token" />
        </p>
      )}
      {error && <Problem error={error} retry={reload} />}
      {value?.length === 0 && <p class="muted">There are none.</p>}
      <ul class="plain-list lines">
        {value?.map(({ id, name, last_used_at, created_at }) => (
          <li key={id}>
            <div>
              <span>{name}</span>
              <p class="muted">
                {last_used_at === null
                  ? 'never used'
                  : `used ${relativeText(last_used_at, Date.now())}`}
                {' · '}since {fullTimeText(created_at)}
              </p>
            </div>
            <button type="button" onClick={() => revoke(id)}>
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
