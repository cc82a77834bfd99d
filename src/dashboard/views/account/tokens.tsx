import { useState } from 'preact/hooks';
import type { ApiTokenAnswer, MadeTokenAnswer } from '../../../api/accounts/api-token-answer.ts';
import { now } from '../../model/clock.ts';
import { session, tell } from '../../model/page.ts';
import { Code } from '../../parts/code/code.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { useCall } from '../../parts/hooks/use-call.ts';
import { Pending } from '../../parts/pending.tsx';
import { Time } from '../../parts/time.tsx';
import { isolated } from '../../text/foreign-text.ts';
import { EndpointNames } from './endpoint-names.tsx';
import { NewToken } from './new-token.tsx';

export function Tokens() {
  const loaded = useCall('GET /api/tokens');
  const { value, reload } = loaded;
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeTokenAnswer | null>(null);
  const [asked, setAsked] = useState<ApiTokenAnswer | null>(null);
  const revoke = async ({ id }: ApiTokenAnswer) => {
    await session.call('DELETE /api/tokens/{tokenId}', { params: { tokenId: id } });
    if (made?.id === id) setMade(null);
    tell('The token is revoked');
    reload();
  };
  return (
    <section>
      <div class="section-head">
        <h2>API tokens</h2>
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          New token …
        </button>
      </div>
      <p class="muted">For scripts and CI. A token has no more rights than it is given.</p>
      {made !== null && (
        <p class="once">
          Copy <Foreign text={made.name} /> now, it is not shown again:{' '}
          <span class="mono wrap">{made.token}</span>{' '}
          <CopyButton text={made.token} label="Copy the token" />
        </p>
      )}
      <Pending {...loaded} />
      {value?.length === 0 && (
        <>
          <p class="muted">There is no token. With one, a script calls the API like this:</p>
          <Code
            text={`curl -H 'Authorization: Bearer TOKEN' ${location.origin}/api/endpoints`}
            label="Command that calls the API"
          />
        </>
      )}
      <ul class="rows">
        {value?.map((token) => (
          <li key={token.id}>
            <div class="row-main">
              <p class="row-name">
                <Foreign text={token.name} />
                {isOver(token) && <span class="badge is-failed">expired</span>}
              </p>
              <Rights token={token} />
            </div>
            <button
              type="button"
              aria-label={`Revoke ${isolated(token.name)}`}
              onClick={() => setAsked(token)}
            >
              Revoke …
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
      {asked && (
        <FormDialog
          title="Revoke the token?"
          action="Revoke"
          danger
          onSubmit={() => revoke(asked)}
          onClose={() => setAsked(null)}
        >
          <p class="wrap">
            From then on, requests with <Foreign text={asked.name} /> are refused.
          </p>
        </FormDialog>
      )}
    </section>
  );
}

const isOver = ({ expires_at }: ApiTokenAnswer) =>
  expires_at !== null && Date.parse(expires_at) <= now.value;

function Rights({ token }: { token: ApiTokenAnswer }) {
  const { scopes, endpoint_ids, last_used_at, created_at, expires_at } = token;
  return (
    <p class="muted">
      {scopes.includes('write') ? 'read and write' : 'read only'} ·{' '}
      <EndpointNames ids={endpoint_ids} /> ·{' '}
      {last_used_at === null ? (
        'never used'
      ) : (
        <>
          used <Time at={last_used_at} form="said" />
        </>
      )}{' '}
      · made <Time at={created_at} form="said" /> ·{' '}
      {expires_at === null ? (
        'no end'
      ) : (
        <>
          {isOver(token) ? 'ended' : 'ends'} <Time at={expires_at} form="said" />
        </>
      )}
    </p>
  );
}
