import { type Address, navigate, place, withQuery } from '../model/router.ts';

/** Returns the page number in an address; the first page is 1. */
export const pageOf = ({ query }: Address): number =>
  Math.max(1, Math.floor(Number(query.get('page'))) || 1);

interface PagerProps {
  /** How many rows the whole list has; undefined until it is known. */
  total: number | undefined;
  /** How many rows a page has. */
  size: number;
}

/** Switches between the pages of a list. The address contains the page's number. */
export function Pager({ total, size }: PagerProps) {
  const at = place.value;
  const page = pageOf(at);
  const last = total === undefined ? page : Math.max(1, Math.ceil(total / size));
  if (last === 1 && page === 1) return null;
  const turnTo = (to: number) => navigate(withQuery(at, { page: to === 1 ? null : String(to) }));
  return (
    <div class="actions">
      <button type="button" disabled={page <= 1} onClick={() => turnTo(page - 1)}>
        Newer
      </button>
      <button type="button" disabled={page >= last} onClick={() => turnTo(page + 1)}>
        Older
      </button>
      <span class="muted">
        page {page} of {Math.max(page, last)}
      </span>
    </div>
  );
}
