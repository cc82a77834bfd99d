import { useState } from 'preact/hooks';

interface Draft<F> {
  form: F;
  /** Whether the value changed elsewhere while the user types. */
  isStale: boolean;
  edit(form: F): void;
  /** Drops the draft and shows the current value. */
  reset(): void;
  /** Ends the draft after a save. The form then follows the value again. */
  settle(): void;
}

/** A draft of a value. Until the user types, the form follows the value. */
export function useDraft<T, F>(value: T, formOf: (value: T) => F): Draft<F> {
  const known = JSON.stringify(value);
  const fresh = () => ({ known, form: formOf(value), isTouched: false });
  const [state, setState] = useState(fresh);
  const isNews = state.known !== known;
  const current = isNews && !state.isTouched ? fresh() : state;
  return {
    form: current.form,
    isStale: isNews && state.isTouched,
    edit: (form) => setState({ known: current.known, form, isTouched: true }),
    reset: () => setState(fresh),
    settle: () => setState((before) => ({ ...before, isTouched: false })),
  };
}
