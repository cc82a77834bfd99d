import { session } from '../../model/page.ts';
import { Code } from '../../parts/code/code.tsx';

export function Plan() {
  const state = session.state.value;
  if (state.kind !== 'signed-in') return null;
  const { email, plan } = state.user;
  return (
    <section>
      <h2>Plan: {plan}</h2>
      {plan === 'free' ? (
        <>
          <p class="muted">
            Explain, code and diagnosis need the starter plan; all the rest works. The server’s
            operator grants it on the machine:
          </p>
          <Code
            text={`hookrelay users set-plan ${email} starter`}
            label="Command that grants the plan"
          />
        </>
      ) : (
        <p class="muted">Explain, code and diagnosis are included.</p>
      )}
    </section>
  );
}
