import type { ComponentChildren } from 'preact';
import { DAY_MS } from '../../../core/text/duration.ts';
import { navigate, place, withQuery } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { isolated } from '../../text/foreign-text.ts';
import { conditionsOf, ruleOf } from '../../text/rule-text.ts';
import { CHOICES, CUSTOM_TIME } from './filters.ts';

const set = (changes: Record<string, string | null>) =>
  navigate(withQuery(place.value, changes), { replace: true });

/** Sets a filter. A time is either a span back from now or two instants. */
export function choose(name: string, value: string | null): void {
  if (name !== 'since') set({ [name]: value });
  else if (value !== CUSTOM_TIME) set({ since: value, from: null, to: null });
  else set({ since: null, from: new Date(Date.now() - DAY_MS).toISOString() });
}

const localValue = (iso: string): string => {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** Shows each filter of the list, with buttons to change and to remove it. */
export function FilterChips({ onEditRule }: { onEditRule(): void }) {
  const { query } = place.value;
  const get = (name: string) => query.get(name) ?? '';
  const conditions = conditionsOf(get('where'));
  const hasTimes = query.has('from') || query.has('to');
  return (
    <>
      {CHOICES.map(({ name, label, options }) => {
        const value = name === 'since' && hasTimes ? CUSTOM_TIME : get(name);
        if (value === '') return null;
        return (
          <Chip key={name} label={label} onEnd={() => choose(name, null)}>
            <select
              aria-label={label}
              value={value}
              onChange={(event) => choose(name, event.currentTarget.value)}
            >
              {options.map(([one, text]) => (
                <option key={one} value={one}>
                  {text}
                </option>
              ))}
              {!options.some(([one]) => one === value) && (
                <option value={value}>{isolated(value)}</option>
              )}
            </select>
            {value === CUSTOM_TIME &&
              (['from', 'to'] as const).map((end) => (
                <input
                  key={end}
                  type="datetime-local"
                  aria-label={end}
                  value={localValue(get(end))}
                  onChange={(event) => {
                    const { value: at } = event.currentTarget;
                    set({ [end]: at === '' ? null : new Date(at).toISOString() });
                  }}
                />
              ))}
          </Chip>
        );
      })}
      {get('type') !== '' && (
        <Chip label="Type" onEnd={() => set({ type: null })}>
          <Foreign class="chip-text mono" text={get('type')} />
        </Chip>
      )}
      {conditions.map((condition, i) => (
        <Chip
          key={`${i} ${condition}`}
          label={condition}
          isRule
          onEnd={() => set({ where: ruleOf(conditions.filter((_, other) => other !== i)) })}
        >
          <button
            type="button"
            class="chip-text mono"
            title={isolated(`Edit the rule ${condition}`)}
            onClick={onEditRule}
          >
            <Foreign text={condition} />
          </button>
        </Chip>
      ))}
    </>
  );
}

interface ChipProps {
  label: string;
  /** Whether the label is a condition of the rule. The children show the condition. */
  isRule?: boolean;
  onEnd(): void;
  children: ComponentChildren;
}

function Chip({ label, isRule = false, onEnd, children }: ChipProps) {
  return (
    <span class="chip">
      {!isRule && <span class="chip-label">{label}</span>}
      {children}
      <button
        type="button"
        class="chip-end"
        aria-label={isolated(`End the filter ${label}`)}
        onClick={onEnd}
      >
        ✕
      </button>
    </span>
  );
}
