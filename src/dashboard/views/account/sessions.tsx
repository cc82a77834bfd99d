import { useState } from 'preact/hooks';
import type { CallAnswer } from '../../../api/client/typed-call.ts';
import { counted } from '../../../core/text/words.ts';
import { asApiError } from '../../model/api-error.ts';
import { session, tell } from '../../model/page.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { useCall } from '../../parts/hooks/use-call.ts';
import { Pending } from '../../parts/pending.tsx';
import { Time } from '../../parts/time.tsx';
import { browserName } from './browser-name.ts';
import { Password } from './password.tsx';

/** How many sessions the list shows at first. */
const FEW = 5;

type SessionView = CallAnswer<'GET /api/sessions'>[number];

const end = (sessionId: string) =>
  session.call('DELETE /api/sessions/{sessionId}', { params: { sessionId } });

/** Returns whether the session already ended. */
const isGone = (error: unknown) => asApiError(error).status === 404;

/** Shows the account's sessions, and the form for its password. */
export function Sessions() {
  const loaded = useCall('GET /api/sessions');
  const { value, reload } = loaded;
  const [isWhole, setWhole] = useState(false);
  const [isAsking, setAsking] = useState(false);
  // This page's own session comes first, so that nobody ends it by mistake.
  const all = value && [...value].sort((a, b) => Number(b.current) - Number(a.current));
  const others = all?.filter(({ current }) => !current) ?? [];
  const shown = isWhole ? all : all?.slice(0, FEW);
  const endOthers = async () => {
    const outcomes = await Promise.allSettled(others.map(({ id }) => end(id)));
    reload();
    const failed = outcomes.find((one) => one.status === 'rejected' && !isGone(one.reason));
    if (failed?.status === 'rejected') throw failed.reason;
    tell(`${counted(others.length, 'session')} ended`);
  };
  return (
    <>
      <section>
        <div class="section-head">
          <h2>Sessions</h2>
          {others.length > 0 && (
            <button type="button" onClick={() => setAsking(true)}>
              End all others …
            </button>
          )}
        </div>
        <p class="muted">Browsers and command lines that are signed in, last used first.</p>
        <Pending {...loaded} />
        <ul class="rows">
          {shown?.map((one) => (
            <SessionRow key={one.id} one={one} onEnded={reload} />
          ))}
        </ul>
        {all && all.length > FEW && !isWhole && (
          <button type="button" class="quiet" onClick={() => setWhole(true)}>
            Show all {all.length}
          </button>
        )}
      </section>
      <Password onChanged={reload} />
      {isAsking && (
        <FormDialog
          title={`End ${counted(others.length, 'other session')}?`}
          action="End them"
          danger
          onSubmit={endOthers}
          onClose={() => setAsking(false)}
        >
          <p>They have to sign in again. This session and API tokens stay.</p>
        </FormDialog>
      )}
    </>
  );
}

function SessionRow({ one, onEnded }: { one: SessionView; onEnded(): void }) {
  const { id, current, address, user_agent, last_used_at, created_at } = one;
  return (
    <li>
      <div class="row-main">
        <p class="row-name">
          <Foreign text={browserName(user_agent)} />
          {current && <span class="badge is-delivered">this one</span>}
        </p>
        <p class="muted">
          {address ?? 'unknown address'} · last used <Time at={last_used_at} form="said" /> · signed
          in <Time at={created_at} form="said" />
        </p>
      </div>
      {!current && (
        <ActionButton
          run={async () => {
            await end(id);
            tell('The session is ended');
          }}
          onEnd={onEnded}
        >
          End
        </ActionButton>
      )}
    </li>
  );
}
