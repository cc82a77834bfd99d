import { act, session } from '../../model/page.ts';
import { Code } from '../../parts/code.tsx';
import { Audit } from './audit.tsx';
import { Channels } from './channels.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';

export function Account() {
  const state = session.state.value;
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
      <Channels email={email} />
      <Tokens />
      <Password />
      <Audit />
    </div>
  );
}
