import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../model/api-error.ts';
import { useShortcuts } from '../model/shortcuts.ts';
import { type FieldName, faultText, fieldOf } from '../text/filter-fault.ts';

const FIELDS = [
  { name: 'type', label: 'Type', placeholder: 'invoice.paid' },
  { name: 'where', label: 'Rule', placeholder: 'body.type=invoice.paid' },
] as const;

interface RuleFilterProps {
  values: Record<FieldName, string>;
  /** The list's error; null without one. */
  error: ApiError | null;
  onChange(changes: Partial<Record<FieldName, string | null>>): void;
  /** The other filters, which stand in one line with the button. */
  children: ComponentChildren;
}

/** Fields for the type and a rule. They are shown on demand, and while they filter. */
export function RuleFilter({ values, error, onChange, children }: RuleFilterProps) {
  const [isAsked, setAsked] = useState(false);
  const inputs = {
    type: useRef<HTMLInputElement>(null),
    where: useRef<HTMLInputElement>(null),
  };
  const isFiltering = FIELDS.some(({ name }) => values[name] !== '');
  const isOpen = isAsked || isFiltering;
  const open = () => {
    setAsked(true);
    inputs.where.current?.focus();
  };
  // The field that `open` focuses exists after the next drawing only.
  useEffect(() => {
    if (isAsked) inputs.where.current?.focus();
  }, [isAsked]);
  const close = () => {
    setAsked(false);
    if (isFiltering) onChange({ type: null, where: null });
  };
  useShortcuts([{ keys: 'f', title: 'Filter by rule or type', group: 'Events', run: open }]);
  const wrong = error && fieldOf(error, values);
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-expanded={isOpen}
        aria-controls="rule-filter"
        title="Filter by rule or type (f)"
        onClick={isOpen ? close : open}
      >
        Rule
      </button>
      {children}
      <div id="rule-filter" class="rule-filter" hidden={!isOpen}>
        {isOpen &&
          FIELDS.map(({ name, label, placeholder }) => (
            <FilterField
              key={name}
              {...{ name, label, placeholder }}
              input={inputs[name]}
              value={values[name]}
              isWrong={wrong === name}
              onChange={(value) => onChange({ [name]: value })}
              onEscape={close}
            />
          ))}
        {error && wrong && (
          <p id={`${wrong}-fault`} class="fault" role="alert">
            {faultText(error, wrong)}
          </p>
        )}
      </div>
    </>
  );
}

interface FilterFieldProps {
  name: FieldName;
  label: string;
  placeholder: string;
  input: RefObject<HTMLInputElement | null>;
  value: string;
  /** An element with the field's name shows what is wrong. */
  isWrong: boolean;
  onChange(value: string): void;
  /** Escape in an empty field. */
  onEscape(): void;
}

function FilterField(props: FilterFieldProps) {
  const { name, label, placeholder, input, value, isWrong, onChange, onEscape } = props;
  useEffect(() => {
    if (input.current) input.current.value = value;
  }, [value]);
  return (
    <label class={`is-${name}`}>
      <span>{label}</span>
      <input
        ref={input}
        class="mono"
        defaultValue={value}
        placeholder={placeholder}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${name}-fault` : undefined}
        // Fires at Enter and when the focus leaves: half a rule is an error.
        onChange={(event) => onChange(event.currentTarget.value.trim())}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          if (event.currentTarget.value === '') onEscape();
          else event.currentTarget.blur();
        }}
      />
    </label>
  );
}
