import { useEffect, useRef } from 'preact/hooks';
import { navigate, place, withQuery } from '../../model/router.ts';
import { isJsonRule, withCondition } from '../../text/events/rule-text.ts';
import { FilterBuilder } from './filter-builder.tsx';
import { choose } from './filter-chips.tsx';

export interface FilterPanelProps {
  /** Null for the list of all endpoints. */
  endpointId: string | null;
  /** What is edited first. */
  focus: 'builder' | 'rule';
  /** Id of the element that says what is wrong with the rule; null for a good one. */
  faultId: string | null;
  onClose(): void;
}

/** Adds a filter by its parts, or as a rule in words. */
export function FilterPanel({ endpointId, focus, faultId, onClose }: FilterPanelProps) {
  const { query } = place.value;
  const rule = query.get('where') ?? '';
  const field = useRef<HTMLInputElement>(null);
  const set = (changes: Record<string, string | null>) =>
    navigate(withQuery(place.value, changes), { replace: true });
  useEffect(() => {
    if (field.current) field.current.value = rule;
  }, [rule]);
  useEffect(() => {
    if (focus === 'rule') field.current?.focus();
  }, [focus]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key that closes it
    <div
      class="filter-panel"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
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
      <label class="rule-line">
        <span>Rule</span>
        <input
          ref={field}
          class="mono"
          defaultValue={rule}
          placeholder="body.type=invoice.paid and body.amount>=1000"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          aria-invalid={faultId !== null}
          aria-describedby={faultId ?? undefined}
          // Fires at Enter and when the focus leaves: half a rule is an error.
          onChange={(event) => set({ where: event.currentTarget.value.trim() })}
        />
      </label>
    </div>
  );
}
