import { navigate, place, withQuery } from '../model/router.ts';
import { Options } from './form/options.tsx';

interface QuerySelectProps {
  /** The parameter's name in the address. */
  name: string;
  label: string;
  of: readonly (readonly [value: string, text: string])[];
  /** The choice if the address has none. */
  usual?: string;
  class?: string;
}

/** Filters a list by a parameter of the address. A new choice leads to the first page. */
export function QuerySelect({ name, label, of, usual = '', class: look }: QuerySelectProps) {
  const at = place.value;
  const choose = (value: string) =>
    navigate(withQuery(at, { page: null, [name]: value === usual ? null : value }));
  return (
    <select class={look} aria-label={label} onChange={(event) => choose(event.currentTarget.value)}>
      <Options of={of} initial={at.query.get(name) ?? usual} />
    </select>
  );
}
