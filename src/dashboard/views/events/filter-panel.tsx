import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ApiError } from '../../model/api-error.ts';
import { navigate, place, withQuery } from '../../model/router.ts';
import { RuleEditor } from '../../parts/rule-editor/rule-editor.tsx';
import { ruleFaults } from '../../parts/rule-editor/rule-faults.ts';
import { isJsonRule, withCondition } from '../../text/rule-text.ts';
import { FilterBuilder } from './filter-builder.tsx';
import { choose } from './filter-chips.tsx';
import { useSuggestions } from './use-suggestions.ts';

export interface FilterPanelProps {
  /** Null for the list of all endpoints. */
  endpointId: string | null;
  focus: 'builder' | 'rule';
  /** The rule's error; null if the rule is valid. */
  error: ApiError | null;
  onClose(): void;
}

/** Adds a filter from parts, or edits the rule as text. */
export function FilterPanel({ endpointId, focus, error, onClose }: FilterPanelProps) {
  const { query } = place.value;
  const rule = query.get('where') ?? '';
  const [text, setText] = useState(rule);
  const suggestions = useSuggestions(endpointId, query.get('type'));
  const faults = useMemo(() => ruleFaults(error, 'where', rule), [error, rule]);
  const set = (changes: Record<string, string | null>) =>
    navigate(withQuery(place.value, changes), { replace: true });
  useEffect(() => setText(rule), [rule]);
  // Applies the rule only at Enter or when the focus leaves, because an unfinished rule is an
  // error.
  const apply = () => set({ where: text.trim() });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key that closes it
    <div
      class="filter-panel"
      onKeyDown={(event) => {
        // Escape first closes an open list of suggestions.
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <FilterBuilder
        endpointId={endpointId}
        type={query.get('type')}
        isFocused={focus === 'builder'}
        onChoose={choose}
        onCondition={
          isJsonRule(rule) ? null : (condition) => set({ where: withCondition(rule, condition) })
        }
      />
      <div class="rule-line">
        <span aria-hidden="true">Rule</span>
        <RuleEditor
          label="Rule"
          text={rule}
          placeholder="body.type=invoice.paid and body.amount>=1000"
          isLine
          isFocused={focus === 'rule'}
          suggestions={suggestions}
          faults={faults}
          onChange={setText}
          onSubmit={apply}
          onLeave={apply}
        />
      </div>
    </div>
  );
}
