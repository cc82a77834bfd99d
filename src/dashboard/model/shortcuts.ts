import { useLayoutEffect } from 'preact/hooks';

export interface Shortcut {
  /**
   * The keys as the page shows them: `j`, `?`, `g e`. `Mod+k` means k with ⌘ or Ctrl. Empty if
   * there are no keys.
   */
  keys: string;
  title: string;
  group: string;
  run(): void;
}

/** The longest time between the keys of a sequence such as `g e`, ms. */
const SEQUENCE_MS = 1500;

const active = new Set<Shortcut[]>();
let prefix = '';
let prefixAt = 0;

export function activeShortcuts(): Shortcut[] {
  return [...active].flat();
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Returns the separate keys of a shortcut as the page shows them: `g`, `e`; `Ctrl`, `K`. */
export function keysOf({ keys }: Shortcut): string[] {
  const [mod, key] = keys.split('+');
  if (mod === 'Mod' && key) return [isApple ? '⌘' : 'Ctrl', key.toUpperCase()];
  return keys === '' ? [] : keys.split(' ');
}

/**
 * Adds shortcuts while the component is mounted. If two components use the same keys, the newer one
 * wins.
 */
export function useShortcuts(shortcuts: Shortcut[]): void {
  // A layout effect runs before the paint, so a visible component already reacts to its keys.
  useLayoutEffect(() => {
    active.add(shortcuts);
    return () => void active.delete(shortcuts);
  });
}

/** Returns whether the user is typing text. Keys aren't shortcuts then. */
function isWriting(target: EventTarget | undefined): boolean {
  return (
    target instanceof HTMLElement &&
    // A closed dialog keeps the focus until the page is drawn again.
    target.closest('dialog:not([open])') === null &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export function listenForShortcuts(): void {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]')) return;
    const hasMod = event.ctrlKey || event.metaKey;
    // A key with a modifier isn't text, so it is a shortcut in a field too. In a shadow root, the
    // event's target is the host. The composed path gives the editor.
    if (!hasMod && isWriting(event.composedPath()[0])) return;
    const key = hasMod ? `Mod+${event.key}` : event.key;
    const isNext = prefix !== '' && Date.now() - prefixAt < SEQUENCE_MS;
    const keys = isNext ? `${prefix} ${key}` : key;
    const all = activeShortcuts();
    const found = all.findLast((shortcut) => shortcut.keys === keys);
    prefix = '';
    if (found) {
      event.preventDefault();
      found.run();
    } else if (all.some((shortcut) => shortcut.keys.startsWith(`${key} `))) {
      prefix = key;
      prefixAt = Date.now();
    }
  });
}
