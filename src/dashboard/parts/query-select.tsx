import { navigate, place, withQuery } from '../model/router.ts';
import { Options } from './form/options.tsx';

interface QuerySelectProps {
  /** The address's parameter. */
  name: string;
  label: string;
  of: readonly (readonly [value: string, text: string])[];
  /** The choice that the address needn't name. */
  usual?: string;
  class?: string;
}

/** A filter of a list. The address holds the choice; another one leads to the first page. */
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
