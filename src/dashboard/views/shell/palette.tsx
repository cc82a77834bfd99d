import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { now, zone } from '../../model/clock.ts';
import { endpoints, session } from '../../model/page.ts';
import { place, viewOf } from '../../model/router.ts';
import { activeShortcuts } from '../../model/shortcuts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import {
  actionItems,
  endpointItems,
  eventItems,
  type PaletteItem,
  searchItems,
} from './palette-items.ts';
import '../../styles/palette.css';

/** A search starts after this pause in typing, ms. */
const TYPING_MS = 200;
/** The shortest text that is searched. Shorter texts occur in most events. */
const SHORTEST_SEARCH = 3;
const MOST_EVENTS = 5;

/** Finds endpoints, events and actions while the user types. */
export function Palette({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  // The shortcuts of the view below. The palette itself adds none.
  const shortcuts = useMemo(() => activeShortcuts().filter(({ keys }) => keys !== 'Mod+k'), []);
  const found = useFoundEvents(typed);
  const list = endpoints.value ?? [];
  const view = viewOf(place.value);
  const here = list.find(({ id }) => 'endpointId' in view && id === view.endpointId);
  const groups: [string, PaletteItem[]][] = [
    ['Endpoints', endpointItems(list, typed)],
    ['Actions', actionItems(shortcuts, typed)],
    ['Events', [...eventItems(found, list, now.peek(), zone.value), ...searchItems(typed, here)]],
  ];
  const items = groups.flatMap(([, of]) => of);
  const chosen = items[Math.min(at, items.length - 1)];
  const run = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    // Runs after the dialog has returned the focus, because the action may move it or open a
    // dialog.
    setTimeout(() => item.run());
  };
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.id]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((Math.min(at, items.length - 1) + step + items.length) % Math.max(1, items.length));
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      run(chosen);
    }
  };
  return (
    <Dialog title="Find or do" class="palette" onClose={onClose}>
      <input
        class="palette-input"
        role="combobox"
        aria-label="Find an endpoint, an event or an action"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen && `palette-${chosen.id}`}
        placeholder="Endpoint, event, text or action"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Found" ref={box}>
        {groups.map(
          ([title, of]) =>
            of.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: a listbox has groups of options
              <div key={title} role="group" aria-label={title}>
                <p class="palette-group" aria-hidden="true">
                  {title}
                </p>
                {of.map((item) => (
                  <Row
                    key={item.id}
                    item={item}
                    isChosen={item === chosen}
                    onChoose={() => run(item)}
                  />
                ))}
              </div>
            ),
        )}
      </div>
      {items.length === 0 && <p class="palette-none muted">Nothing has that name.</p>}
    </Dialog>
  );
}

interface RowProps {
  item: PaletteItem;
  isChosen: boolean;
  onChoose(): void;
}

function Row({ item: { id, title, about, keys }, isChosen, onChoose }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      class="palette-row"
      role="option"
      id={`palette-${id}`}
      aria-selected={isChosen}
      onClick={onChoose}
    >
      <Foreign class="cut" text={title} />
      <Foreign class="muted cut palette-about" text={about} />
      {keys.length > 0 && (
        <span class="palette-keys" aria-hidden="true">
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
    </div>
  );
}

/** Returns events whose body contains the text, newest first. Returns none if the search fails. */
function useFoundEvents(typed: string): EventSummaryAnswer[] {
  const [found, setFound] = useState<EventSummaryAnswer[]>([]);
  const text = typed.trim();
  useEffect(() => {
    setFound([]);
    if (text.length < SHORTEST_SEARCH) return;
    const left = new AbortController();
    const timer = setTimeout(() => {
      const query = { q: text, view: 'summary', limit: MOST_EVENTS } as const;
      session
        .call('GET /api/events', { query, signal: left.signal })
        .then(({ data }) => setFound(data))
        .catch(() => {});
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [text]);
  return found;
}
