import { useRef } from 'preact/hooks';
import { formatCount } from '../../../core/text/words.ts';
import { useShortcuts } from '../../model/shortcuts.ts';
import type { Find } from './use-find.ts';

function resultText({ query, found, current }: Find): string {
  if (query === '') return '';
  if (!found) return '…';
  const { length } = found.starts;
  if (length === 0) return 'not found';
  return `${formatCount(current + 1)} of ${formatCount(length)}${found.isCut ? '+' : ''}`;
}

/** A field that finds a text in the displayed body. */
export function FindField({ find }: { find: Find }) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([
    {
      keys: 'F',
      title: 'Find in the body',
      group: 'Body',
      run: () => {
        field.current?.focus();
        field.current?.select();
      },
    },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      find.step(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      find.setQuery('');
      field.current?.blur();
    }
  };
  const isSomething = find.found !== null && find.found.starts.length > 0;
  return (
    <search class="find">
      <input
        ref={field}
        type="search"
        aria-label="Find in the body"
        placeholder="Find"
        title="F"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={find.query}
        onInput={({ currentTarget }) => find.setQuery(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span class="find-result" role="status">
        {resultText(find)}
      </span>
      {isSomething && (
        <>
          <button
            type="button"
            class="quiet"
            aria-label="Previous match"
            title="Shift-Enter"
            onClick={() => find.step(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            class="quiet"
            aria-label="Next match"
            title="Enter"
            onClick={() => find.step(1)}
          >
            ↓
          </button>
        </>
      )}
    </search>
  );
}
