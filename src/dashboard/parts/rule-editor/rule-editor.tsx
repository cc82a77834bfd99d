import '../../styles/rules.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Suggestions } from './rule-completions.ts';
import type { RuleFaultRange } from './rule-faults.ts';
import type { RuleView } from './rule-view.ts';

interface RuleEditorProps {
  label: string;
  /** The rule. A new value from the caller replaces what the user typed. */
  text: string;
  placeholder: string;
  /** Whether the rule is on one line. Enter then submits. */
  isLine?: boolean;
  isFocused?: boolean;
  suggestions: Suggestions;
  faults: readonly RuleFaultRange[];
  onChange(text: string): void;
  onSubmit(): void;
  onLeave?(): void;
}

const NOTHING = () => {};

/**
 * A field for a rule. It colours the text, suggests words, and underlines faults. A plain field
 * replaces the editor until the editor's code has loaded.
 */
export function RuleEditor(props: RuleEditorProps) {
  const { label, text, placeholder, isLine = false, isFocused = false, faults, onLeave } = props;
  const latest = useRef(props);
  latest.current = props;
  const host = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const view = useRef<RuleView | null>(null);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    let isGone = false;
    import('./rule-view.ts').then(({ openRuleView }) => {
      if (isGone || !host.current) return;
      const hadFocus = plain.current !== null && plain.current === document.activeElement;
      view.current = openRuleView(host.current, {
        label,
        text: plain.current?.value ?? latest.current.text,
        placeholder,
        isLine,
        suggestions: () => latest.current.suggestions,
        onChange: (to) => latest.current.onChange(to),
        onSubmit: () => latest.current.onSubmit(),
        onLeave: () => latest.current.onLeave?.(),
      });
      view.current.setFaults(latest.current.faults);
      // A hidden element can't get the focus.
      host.current.hidden = false;
      if (hadFocus || latest.current.isFocused) view.current.focus();
      setLoaded(true);
    }, NOTHING);
    return () => {
      isGone = true;
      view.current?.close();
      view.current = null;
    };
  }, []);
  useEffect(() => {
    if (plain.current) plain.current.value = text;
    view.current?.setText(text);
  }, [text]);
  useEffect(() => view.current?.setFaults(faults), [faults]);
  useEffect(() => {
    if (isFocused) (view.current ?? plain.current)?.focus();
  }, [isFocused]);
  return (
    <>
      <div ref={host} class="rule-editor" hidden={!isLoaded} />
      {!isLoaded && (
        <textarea
          ref={plain}
          class={`mono rule-plain ${isLine ? 'is-line' : ''}`}
          rows={isLine ? 1 : 3}
          aria-label={label}
          aria-invalid={faults.length > 0}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          placeholder={placeholder}
          defaultValue={text}
          onInput={(event) => props.onChange(event.currentTarget.value)}
          onBlur={onLeave}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || (!isLine && !event.ctrlKey && !event.metaKey)) return;
            event.preventDefault();
            props.onSubmit();
          }}
        />
      )}
    </>
  );
}
