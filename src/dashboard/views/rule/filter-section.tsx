import { useMemo } from 'preact/hooks';
import type { ApiError } from '../../model/api-error.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { RuleEditor } from '../../parts/rule-editor/rule-editor.tsx';
import { ruleFaults } from '../../parts/rule-editor/rule-faults.ts';
import { useSuggestions } from '../events/use-suggestions.ts';
import { RuleTrialView } from './rule-trial.tsx';
import type { Trial } from './use-trial.ts';

interface FilterSectionProps {
  endpointId: string;
  /** The filter that the destination has. */
  initial: string;
  /** The filter as it is typed. */
  text: string;
  trial: Trial;
  /** Events that the filter is tried on. */
  last: number;
  /** The answer to the last save; null after a good one. */
  error: ApiError | null;
  onChange(text: string): void;
  onLast(last: number): void;
  onSubmit(): void;
}

/** The filter of a destination in an editor, tried on past events as it is typed. */
export function FilterSection(props: FilterSectionProps) {
  const { endpointId, initial, text, trial, last, error, onChange, onLast, onSubmit } = props;
  const suggestions = useSuggestions(endpointId, null);
  // Faults stay until the next try has an answer, so nothing moves while one types.
  const reason = trial.error ?? (trial.text === text ? null : error);
  const about = trial.error ? (trial.text ?? '') : reason ? text : '';
  const faults = useMemo(() => ruleFaults(reason, 'filter', about), [reason, about]);
  return (
    <div class="filter-section">
      <RuleEditor
        label="Filter"
        text={initial}
        placeholder="every event, or body.type=invoice.paid"
        suggestions={suggestions}
        faults={faults}
        onChange={onChange}
        onSubmit={onSubmit}
      />
      {faults.length === 0 ? (
        <p class="muted">
          Empty lets every event through. Write conditions, such as{' '}
          <code>body.amount&gt;=1000</code>, or JSON.
        </p>
      ) : (
        <div class="faults" role="alert">
          {faults.map(({ from, message }) => (
            <p key={`${from} ${message}`} class="fault">
              {placeText(about, from)}: <Foreign text={message} />
            </p>
          ))}
        </div>
      )}
      <RuleTrialView endpointId={endpointId} trial={trial} last={last} onLast={onLast} />
    </div>
  );
}

/** `Column 9`, or `Line 2, column 4` in a text of several lines. */
function placeText(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return text.includes('\n') ? `Line ${lines.length}, column ${column}` : `Column ${column}`;
}
