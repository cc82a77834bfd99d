import { signal } from '@preact/signals';

export interface Address {
  path: string;
  query: URLSearchParams;
}

const here = (): Address => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
});

/** The place that the page shows. It is in the browser's address, so every view has a link. */
export const place = signal<Address>(here());

/** Asks the user before the path changes. `go` continues the change. */
type Guard = (go: () => void) => void;
let guard: Guard | null = null;

/** Sets the guard. Returns a function that removes the guard. */
export function guardPlace(ask: Guard): () => void {
  guard = ask;
  return () => {
    if (guard === ask) guard = null;
  };
}

window.addEventListener('popstate', () => {
  const next = here();
  if (guard && next.path !== place.value.path) {
    // The browser has already left the view, so put the view back. To continue, go back once more.
    history.pushState(null, '', withQuery(place.value));
    guard(() => history.back());
    return;
  }
  place.value = next;
});

export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  if (guard && new URL(to, location.origin).pathname !== place.value.path) {
    guard(() => navigate(to, { replace }));
    return;
  }
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  place.value = here();
}

/** Returns the address of a place with other query parameters; null removes a parameter. */
export function withQuery(
  { path, query }: Address,
  changes: Record<string, string | null> = {},
): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? path : `${path}?${text}`;
}

/**
 * Follows the page's own links without a reload. The browser handles clicks with a modifier key.
 */
export function followLinks(root: HTMLElement): void {
  root.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement)) return;
    if (link.target !== '' || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
    // The browser itself scrolls to an anchor on the same page.
    if (link.hash !== '') return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}

const OTHER_TABS = [
  'destinations',
  'deliveries',
  'replays',
  'source',
  'rejected',
  'types',
  'try',
  'settings',
] as const;
export type Tab = 'events' | (typeof OTHER_TABS)[number];
/** Tabs, other than the tab of events, that can show one of their items. */
const WITH_ITEM: ReadonlySet<Tab> = new Set(['rejected', 'destinations']);

const SECTIONS = ['alerts', 'tokens', 'sessions', 'audit', 'system'] as const;
export type Section = (typeof SECTIONS)[number];

/** The view that a place selects. `itemId` is an event, a rejected request or a destination. */
export type PageView =
  | { kind: 'overview' }
  /** The events of all endpoints. */
  | { kind: 'events'; eventId: string | null }
  | { kind: 'endpoints' }
  | { kind: 'endpoint'; endpointId: string; tab: Tab; itemId: string | null }
  | { kind: 'compare'; endpointId: string; left: string; right: string }
  /** An event whose endpoint isn't in the address. */
  | { kind: 'event'; eventId: string }
  | { kind: 'issues'; issueId: string | null }
  | { kind: 'account'; section: Section | null }
  | { kind: 'nothing' };

const NOTHING: PageView = { kind: 'nothing' };

export function viewOf({ path, query }: Address): PageView {
  const [first = '', id = '', ...rest] = path.split('/').slice(1);
  if (first === 'endpoints' && id !== '') return endpointView(id, rest);
  if (rest.length > 0) return NOTHING;
  switch (first) {
    case 'events':
      if (id !== '') return { kind: 'event', eventId: id };
      return { kind: 'events', eventId: query.get('event') || null };
    case 'issues':
      return { kind: 'issues', issueId: id || null };
    case 'account': {
      const section = SECTIONS.find((one) => one === id) ?? null;
      return section === null && id !== '' ? NOTHING : { kind: 'account', section };
    }
  }
  if (id !== '') return NOTHING;
  if (first === 'endpoints') return { kind: 'endpoints' };
  const isOverview = ['', 'overview', 'setup', 'login'].includes(first);
  return isOverview ? { kind: 'overview' } : NOTHING;
}

function endpointView(endpointId: string, rest: readonly string[]): PageView {
  const [tab = '', item = '', other = '', ...more] = rest;
  if (more.length > 0) return NOTHING;
  if (tab === 'compare' && item !== '' && other !== '') {
    return { kind: 'compare', endpointId, left: item, right: other };
  }
  if (other !== '') return NOTHING;
  const itemId = item || null;
  if (tab === '' || tab === 'events')
    return { kind: 'endpoint', endpointId, tab: 'events', itemId };
  const found = OTHER_TABS.find((one) => one === tab);
  if (!found || (itemId !== null && !WITH_ITEM.has(found))) return NOTHING;
  return { kind: 'endpoint', endpointId, tab: found, itemId };
}

export const endpointPath = (endpointId: string, tab: Tab = 'events'): string =>
  `/endpoints/${endpointId}${tab === 'events' ? '' : `/${tab}`}`;

export const eventPath = (endpointId: string, eventId: string): string =>
  `/endpoints/${endpointId}/events/${eventId}`;

export const rejectedPath = (endpointId: string, rejectedId?: string): string =>
  `/endpoints/${endpointId}/rejected${rejectedId === undefined ? '' : `/${rejectedId}`}`;

export const destinationPath = (endpointId: string, destinationId: string): string =>
  `/endpoints/${endpointId}/destinations/${destinationId}`;

/**
 * Returns the address of a type's schema in a format. `type` is null for events that have no type.
 */
export function typePath(endpointId: string, type: string | null, format?: string): string {
  const query = new URLSearchParams({ type: type ?? '', ...(format !== undefined && { format }) });
  return `/endpoints/${endpointId}/types?${query}`;
}
