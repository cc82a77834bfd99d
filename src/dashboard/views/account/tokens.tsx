import { useState } from 'preact/hooks';
import type { ApiToken } from '../../../api/answers/api-token.ts';
import { act, endpoints, session, tell } from '../../model/page.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { fullTimeText, relativeText } from '../../text/format.ts';
import { NewToken } from './new-token.tsx';

/** The account's API tokens. */
export function Tokens() {
  const { value, error, reload } = useLoaded('tokens', (signal) =>
    session.call<ApiToken[]>('GET', '/api/tokens', { signal }),
  );
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const revoke = (id: string) =>
    act(async () => {
      await session.call('DELETE', `/api/tokens/${id}`);
      tell('The token is revoked');
      reload();
    });
  return (
    <section>
      <h2>API tokens</h2>
      <p class="muted">For scripts and CI.</p>
      <button type="button" onClick={() => setMaking(true)}>
        New token …
      </button>
      {made !== null && (
        <p class="once">
          Keep it now, it is not shown again: <span class="mono wrap">{made}</span>{' '}
          <CopyButton text={made} label="Copy the token" />
        </p>
      )}
      {error && <Problem error={error} retry={reload} />}
      {value?.length === 0 && <p class="muted">There are none.</p>}
      <ul class="plain-list lines">
        {value?.map((token) => (
          <li key={token.id}>
            <div>
              <bdi>{token.name}</bdi>
              <Rights token={token} />
            </div>
            <button type="button" onClick={() => revoke(token.id)}>
              Revoke
            </button>
          </li>
        ))}
      </ul>
      {isMaking && (
        <NewToken
          onMade={(token) => {
            setMade(token);
            reload();
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </section>
  );
}

function Rights({ token }: { token: ApiToken }) {
  const all = endpoints.value ?? [];
  const { scopes, endpoint_ids, last_used_at, created_at, expires_at } = token;
  const now = Date.now();
  const nameOf = (id: string) => all.find((one) => one.id === id)?.name ?? id;
  const where = endpoint_ids && (endpoint_ids.map(nameOf).join(', ') || 'no endpoint');
  const isOver = expires_at !== null && Date.parse(expires_at) <= now;
  return (
    <p class="muted">
      {[
        scopes.includes('write') ? 'read and write' : 'read only',
        where ?? 'all endpoints',
        last_used_at === null ? 'never used' : `used ${relativeText(last_used_at, now)}`,
        `since ${fullTimeText(created_at)}`,
        expires_at === null
          ? 'until it is revoked'
          : `${isOver ? 'expired' : 'expires'} ${relativeText(expires_at, now)}`,
      ].join(' · ')}
    </p>
  );
}
