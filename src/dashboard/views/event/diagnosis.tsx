import { Code } from '../../parts/code/code.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { findingsOf, stepsOf } from './diagnosis-text.ts';

/** A diagnosis as cause, evidence, and steps with their commands. */
export function Diagnosis({ text, suggestion }: { text: string; suggestion: string }) {
  const steps = stepsOf(suggestion);
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
      {steps.length > 0 && (
        <section>
          <h3>What to do</h3>
          <ol class="steps">
            {steps.map((step, i) => (
              <li key={i}>
                <p class="prose">
                  <Foreign text={step.text} kept={'\n'} />
                </p>
                {step.command !== null && (
                  <Code text={step.command} label={`Command of step ${i + 1}`} />
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}
