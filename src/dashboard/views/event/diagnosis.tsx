import { Foreign } from '../../parts/foreign.tsx';
import { Steps } from '../../parts/steps.tsx';
import { findingsOf } from './diagnosis-text.ts';

/** Shows the cause, the evidence, and the steps of a diagnosis. */
export function Diagnosis({ text, suggestion }: { text: string; suggestion: string }) {
  return (
    <div class="diagnosis">
      {findingsOf(text).map(({ cause, evidence }, i) => (
        <section key={i} class="finding">
          {cause !== '' && (
            <>
              {evidence !== null && <h3>Cause</h3>}
              <p class="prose">
                <Foreign text={cause} kept={'\n'} />
              </p>
            </>
          )}
          {evidence !== null && (
            <>
              <h3>Evidence</h3>
              <p class="prose muted">
                <Foreign text={evidence} kept={'\n'} />
              </p>
            </>
          )}
        </section>
      ))}
      {suggestion !== '' && (
        <section>
          <h3>What to do</h3>
          <Steps suggestion={suggestion} />
        </section>
      )}
    </div>
  );
}
