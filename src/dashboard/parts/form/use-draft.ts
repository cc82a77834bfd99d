import { useState } from 'preact/hooks';

export interface Draft<F> {
  form: F;
  /** The value changed elsewhere while somebody types another one. */
  isStale: boolean;
  edit(form: F): void;
  /** Shows the value of now. */
  reset(): void;
  /** What is typed is the value now: the next one that comes is shown. */
  settle(): void;
}

/** What somebody types over a value. Until they type, the form follows the value. */
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
