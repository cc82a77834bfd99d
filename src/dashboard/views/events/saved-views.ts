import { signal } from '@preact/signals';

const KEY = 'hookrelay-views';
/** Most views that a browser keeps. */
const MAX_VIEWS = 50;

/** A filter that somebody named: an address of this page. */
export interface SavedView {
  name: string;
  /** The list's path. */
  path: string;
  /** The filter, as a query. */
  query: string;
}

/** The views that this browser keeps. */
export const savedViews = signal<readonly SavedView[]>(readViews(localStorage.getItem(KEY)));

window.addEventListener('storage', (event) => {
  if (event.key === KEY) savedViews.value = readViews(event.newValue);
});

/** Keeps a view. It replaces the one of the same list and name. */
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

/** The kept views. Anything else counts as none, because other code can write there. */
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
