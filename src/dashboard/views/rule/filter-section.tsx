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
  /** The destination's saved filter. */
  initial: string;
  text: string;
  trial: Trial;
  /** The filter is tried on this many of the newest events. */
  last: number;
  error: ApiError | null;
  onChange(text: string): void;
  onLast(last: number): void;
  onSubmit(): void;
}

/** Edits a destination's filter, and tries it on past events while the user types. */
export function FilterSection(props: FilterSectionProps) {
  const { endpointId, initial, text, trial, last, error, onChange, onLast, onSubmit } = props;
  const suggestions = useSuggestions(endpointId, null);
  // Faults stay until the next trial's answer. Otherwise the page would move while the user types.
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

/** Returns a place in words: `Column 9`, or `Line 2, column 4` in a text of several lines. */
function placeText(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return text.includes('\n') ? `Line ${lines.length}, column ${column}` : `Column ${column}`;
}
