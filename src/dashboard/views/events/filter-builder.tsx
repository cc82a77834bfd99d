import { useEffect, useRef, useState } from 'preact/hooks';
import { PLAIN } from '../../parts/form/text-field.tsx';
import { conditionText, OPERATORS, type Operator } from '../../text/rule-text.ts';
import { CHOICES } from './filters.ts';
import { useSuggestions } from './use-suggestions.ts';

/** Members that every request has, by their names in rules. */
const MEMBERS = ['path', 'type', 'provider', 'size', 'source_ip', 'header.', 'query.', 'body.'];

interface FilterBuilderProps {
  endpointId: string | null;
  /** The event type in the list's filter; null if there is none. */
  type: string | null;
  isFocused: boolean;
  /** Called with a filter outside the rule. */
  onChoose(name: string, value: string): void;
  /** Adds a condition to the rule; null if the rule is in the JSON form. */
  onCondition: ((condition: string) => void) | null;
}

/**
 * Builds a filter from a member, an operator and a value. Suggests values that the endpoint
 * received.
 */
export function FilterBuilder(props: FilterBuilderProps) {
  const { endpointId, type, isFocused, onChoose, onCondition } = props;
  const [member, setMember] = useState('');
  const [operator, setOperator] = useState<Operator>('=');
  const [value, setValue] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { members, types, providers } = useSuggestions(endpointId, type);
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);
  const choice = CHOICES.find(({ label }) => label.toLowerCase() === member.trim().toLowerCase());
  const known = members.find(({ path }) => path === member);
  const values =
    member === 'type' ? types : member === 'provider' ? providers : (known?.values ?? []);
  const isOfType = member === 'type' && operator === '=';
  const isUseless = !choice && !isOfType && onCondition === null;
  const add = (event: Event) => {
    event.preventDefault();
    if (choice) onChoose(choice.name, value || (choice.options[0]?.[0] as string));
    else if (isOfType) onChoose('type', value);
    else onCondition?.(conditionText(member.trim(), operator, value, known?.isText));
    setMember('');
    setValue('');
    setOperator('=');
    field.current?.focus();
  };
  return (
    <form class="builder" onSubmit={add}>
      <input
        ref={field}
        aria-label="Member"
        placeholder="status, type, body.…"
        list="filter-members"
        required
        {...PLAIN}
        value={member}
        onInput={(event) => {
          setMember(event.currentTarget.value);
          setValue('');
        }}
      />
      <datalist id="filter-members">
        {CHOICES.map(({ label }) => (
          <option key={label} value={label.toLowerCase()} />
        ))}
        {[...MEMBERS, ...members.map(({ path }) => path)].map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <select
        aria-label="Operator"
        value={choice ? '=' : operator}
        disabled={choice !== undefined}
        onChange={(event) => setOperator(event.currentTarget.value as Operator)}
      >
        {OPERATORS.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
      {choice ? (
        <select
          aria-label="Value"
          value={value || choice.options[0]?.[0]}
          onChange={(event) => setValue(event.currentTarget.value)}
        >
          {choice.options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        operator !== '?' && (
          <>
            <input
              aria-label="Value"
              placeholder="value"
              list="filter-values"
              required
              {...PLAIN}
              value={value}
              onInput={(event) => setValue(event.currentTarget.value)}
            />
            <datalist id="filter-values">
              {values.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </>
        )
      )}
      <button type="submit" disabled={isUseless}>
        Add
      </button>
      {isUseless && <span class="muted">The rule is in JSON: change it below.</span>}
    </form>
  );
}
