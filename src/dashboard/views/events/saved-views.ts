import { signal } from '@preact/signals';

const KEY = 'hookrelay-views';
/** How many views a browser stores at most. */
const MAX_VIEWS = 50;

/** A filter with a name. It is an address of this page. */
export interface SavedView {
  name: string;
  /** The path of the list. */
  path: string;
  /** The filter, as a query. */
  query: string;
}

/** The views that this browser has stored. */
export const savedViews = signal<readonly SavedView[]>(readViews(localStorage.getItem(KEY)));

window.addEventListener('storage', (event) => {
  if (event.key === KEY) savedViews.value = readViews(event.newValue);
});

/** Stores a view. It replaces a view of the same list and name. */
export function saveView(view: SavedView): void {
  const others = savedViews.value.filter((one) => !isSame(one, view));
  keep([...others, view].slice(-MAX_VIEWS));
}

export function removeView(view: SavedView): void {
  keep(savedViews.value.filter((one) => !isSame(one, view)));
}

const isSame = (a: SavedView, b: SavedView) => a.path === b.path && a.name === b.name;

function keep(views: readonly SavedView[]): void {
  savedViews.value = views;
  localStorage.setItem(KEY, JSON.stringify(views));
}

/**
 * Reads the stored views. Returns none if the text is anything else, because other code can write
 * there.
 */
function readViews(text: string | null): SavedView[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const { name, path, query } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    typeof query === 'string' &&
    typeof path === 'string' &&
    /^\/(?!\/)/.test(path)
  );
}
