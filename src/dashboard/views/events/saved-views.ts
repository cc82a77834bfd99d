import { signal } from '@preact/signals';

const KEY = 'hookrelay-views';
/** The largest number of stored views. */
const MAX_VIEWS = 50;

/** A filter of a list, with a name. */
export interface SavedView {
  name: string;
  path: string;
  /** The filter as a query string. */
  query: string;
}

export const savedViews = signal<readonly SavedView[]>(readViews(localStorage.getItem(KEY)));

window.addEventListener('storage', (event) => {
  if (event.key === KEY) savedViews.value = readViews(event.newValue);
});

/** Stores a view. Replaces the view with the same list and name. */
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

/** Parses the stored views. Skips invalid values, because other code can write to the storage. */
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
