import { useLayoutEffect } from 'preact/hooks';

export interface Shortcut {
  /** The keys as shown: `j`, `?`, `g e`; `Mod+k` with ⌘ or Ctrl; empty for none. */
  keys: string;
  title: string;
  group: string;
  run(): void;
}

/** Time between the keys of a sequence such as `g e`, ms. */
const SEQUENCE_MS = 1500;

const active = new Set<Shortcut[]>();
let prefix = '';
let prefixAt = 0;

/** The active shortcuts, for the list that `?` shows and for the palette. */
export function activeShortcuts(): Shortcut[] {
  return [...active].flat();
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys of a shortcut as they are shown: `g`, `e`; `Ctrl`, `K`. */
export function keysOf({ keys }: Shortcut): string[] {
  const [mod, key] = keys.split('+');
  if (mod === 'Mod' && key) return [isApple ? '⌘' : 'Ctrl', key.toUpperCase()];
  return keys === '' ? [] : keys.split(' ');
}

/** Adds shortcuts while the component is mounted. The latest component wins. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  // A layout effect runs before the paint, so a visible component reacts to its keys.
  useLayoutEffect(() => {
    active.add(shortcuts);
    return () => void active.delete(shortcuts);
  });
}

/** Whether the user is typing: keys are then text, not shortcuts. */
function isWriting(target: EventTarget | undefined): boolean {
  return (
    target instanceof HTMLElement &&
    // A dialog that has ended keeps the focus until the page is drawn.
    target.closest('dialog:not([open])') === null &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export function listenForShortcuts(): void {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]')) return;
    const hasMod = event.ctrlKey || event.metaKey;
    // A key with a modifier isn't text, so it works in a field too. For an editor in a shadow root,
    // the event's target is the host; the composed path has the editor.
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
