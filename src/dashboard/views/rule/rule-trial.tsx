import type { RuleOutcome } from '../../../api/rules/rule-answer.ts';
import { formatCount } from '../../../core/text/words.ts';
import { eventPath } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { faultCount, OUTCOME, trialFacts, trialFaults } from '../../text/trial-text.ts';
import { TriedEvents } from './tried-events.tsx';
import type { Trial } from './use-trial.ts';

const CHOICES = [100, 1000, 10_000] as const;

interface RuleTrialViewProps {
  endpointId: string;
  trial: Trial;
  last: number;
  onLast(last: number): void;
}

/** Shows what the filter in the editor would have done with past events. */
export function RuleTrialView({ endpointId, trial, last, onLast }: RuleTrialViewProps) {
  const { result, error, isTrying } = trial;
  const faults = result ? trialFaults(result.samples) : [];
  return (
    <div class="rule-trial" aria-busy={isTrying}>
      <div class="rule-trial-head">
        <h3 id="trial-heading">Tried on the last</h3>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend above */}
        <span class="segments" role="group" aria-labelledby="trial-heading">
          {CHOICES.map((count) => (
            <button
              key={count}
              type="button"
              aria-pressed={count === last}
              onClick={() => onLast(count)}
            >
              {formatCount(count)}
            </button>
          ))}
        </span>
        <span class="muted">events{isTrying && ' · trying …'}</span>
      </div>
      <p role="status" class={`trial-facts ${error || isTrying ? 'muted' : ''}`}>
        {result
          ? trialFacts(result).map((fact) => (
              <span key={fact} class="trial-fact">
                {fact}
              </span>
            ))
          : !isTrying && !error && 'Write a filter to see which past events it would let through.'}
      </p>
      {error && error.issues.length === 0 && (
        <p class="fault">
          Couldn’t try the filter: <Foreign text={error.message} />. You can save it all the same.
        </p>
      )}
      {result && result.changed_total > 0 && (
        <TriedEvents
          label="Events that change sides"
          endpointId={endpointId}
          events={result.changed.map(({ event_id, before, after }) => ({
            event_id,
            outcome: (
              <>
                <OutcomeWord of={before} isBefore /> → <OutcomeWord of={after} />
              </>
            ),
          }))}
          total={result.changed_total}
        />
      )}
      {result?.changed_total === 0 && result.samples.length > 0 && (
        <details>
          <summary>Samples</summary>
          <TriedEvents
            label="Samples"
            endpointId={endpointId}
            events={result.samples.map(({ event_id, output }) => ({
              event_id,
              outcome: <OutcomeWord of={output} />,
            }))}
            total={result.samples.length}
          />
        </details>
      )}
      {result && result.failed > 0 && (
        <div class="trial-faults">
          <p>{faultCount(result.failed)} The condition doesn’t hold there.</p>
          <ul>
            {faults.map(({ message, eventIds: [first = '', ...others] }) => (
              <li key={message}>
                <Foreign class="fault" text={message} />{' '}
                <a href={eventPath(endpointId, first)} class="mono">
                  {first}
                </a>
                {others.length > 0 && (
                  <span class="muted"> and {formatCount(others.length)} more</span>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function OutcomeWord({ of, isBefore = false }: { of: RuleOutcome; isBefore?: boolean }) {
  return <span class={isBefore ? 'muted' : `outcome is-${of}`}>{OUTCOME[of]}</span>;
}
