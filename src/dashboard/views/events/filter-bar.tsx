import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../../model/api-error.ts';
import { filterOf, isFiltered } from '../../model/list-filter.ts';
import { navigate, place, withQuery } from '../../model/router.ts';
import { useShortcuts } from '../../model/shortcuts.ts';
import { lazy } from '../../parts/lazy.tsx';
import { FilterChips } from './filter-chips.tsx';
import { faultText, fieldOf } from './filter-fault.ts';
import { SavedViewLinks } from './saved-view-links.tsx';

const FilterPanel = lazy(async () => (await import('./filter-panel.tsx')).FilterPanel);

/** A search starts after this pause in typing, ms. */
const TYPING_MS = 250;

interface FilterBarProps {
  /** Null for the list of all endpoints. */
  endpointId: string | null;
  /** The list's own address. */
  path: string;
  error: ApiError | null;
}

/** Shows a list's search, its filters as chips, the panel that adds filters, and saved views. */
export function FilterBar({ endpointId, path, error }: FilterBarProps) {
  const at = place.value;
  const [panel, setPanel] = useState<'builder' | 'rule' | null>(null);
  const clear = () => {
    setPanel(null);
    const kept = at.query.get('event');
    navigate(at.path + (kept === null ? '' : `?${new URLSearchParams({ event: kept })}`), {
      replace: true,
    });
  };
  useShortcuts([
    { keys: 'f', title: 'Add a filter', group: 'Events', run: () => setPanel('builder') },
    { keys: 'X', title: 'Clear all filters', group: 'Events', run: clear },
  ]);
  const wrong = error && fieldOf(error, filterOf(at, 0));
  // If the address contains a wrong rule, open the rule's field for a correction.
  useEffect(() => {
    if (wrong === 'where') setPanel('rule');
  }, [wrong]);
  return (
    <search class="filters">
      <div class="filter-line">
        <SearchField />
        <button
          type="button"
          aria-expanded={panel !== null}
          aria-controls="filter-panel"
          title="Add a filter (f)"
          onClick={() => setPanel(panel === null ? 'builder' : null)}
        >
          Filter
        </button>
        <FilterChips onEditRule={() => setPanel('rule')} />
        {isFiltered(at) && (
          <button type="button" class="quiet" title="Clear all filters (Shift X)" onClick={clear}>
            Clear
          </button>
        )}
        <SavedViewLinks path={path} />
      </div>
      <div id="filter-panel" hidden={panel === null}>
        {panel !== null && (
          <FilterPanel
            endpointId={endpointId}
            focus={panel}
            error={wrong === 'where' ? error : null}
            onClose={() => setPanel(null)}
          />
        )}
      </div>
      {error && wrong && (
        <p id={`${wrong}-fault`} class="fault" role="alert">
          {faultText(error, wrong)}
        </p>
      )}
    </search>
  );
}

/** A field that searches bodies while the user types. */
function SearchField() {
  const { query } = place.value;
  const fromAddress = query.get('q') ?? '';
  const ignoresCase = query.get('ignore_case') === 'true';
  const [text, setText] = useState(fromAddress);
  const search = useRef<HTMLInputElement>(null);
  const set = (changes: Record<string, string | null>) =>
    navigate(withQuery(place.value, changes), { replace: true });
  useEffect(() => setText(fromAddress), [fromAddress]);
  useEffect(() => {
    if (text === fromAddress) return;
    const timer = setTimeout(() => set({ q: text }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useShortcuts([
    { keys: '/', title: 'Search', group: 'Events', run: () => search.current?.focus() },
  ]);
  return (
    <span class="search-field">
      <input
        ref={search}
        type="search"
        placeholder="Search bodies"
        aria-label="Search bodies for a text"
        title="A text in the body (/)"
        maxLength={256}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') set({ q: text });
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <button
        type="button"
        class="quiet"
        aria-label="Ignore case"
        title="Ignore case"
        aria-pressed={ignoresCase}
        onClick={() => set({ ignore_case: ignoresCase ? null : 'true' })}
      >
        Aa
      </button>
    </span>
  );
}
