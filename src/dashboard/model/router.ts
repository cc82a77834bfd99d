import { signal } from '@preact/signals';

export interface Place {
  path: string;
  query: URLSearchParams;
}

const here = (): Place => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
});

/** The page's place. The address holds it, so every view has a link. */
export const place = signal<Place>(here());

window.addEventListener('popstate', () => {
  place.value = here();
});

export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  place.value = here();
}

/** The address of a place with changed query parameters; null removes one. */
export function withQuery(
  { path, query }: Place,
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

/** Follows the page's own links without a reload. With a modifier key, the browser handles the click. */
export function followLinks(root: HTMLElement): void {
  root.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement)) return;
    if (link.target !== '' || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}

const OTHER_TABS = [
  'destinations',
  'deliveries',
  'replays',
  'rejected',
  'types',
  'try',
  'settings',
] as const;
export type Tab = 'events' | (typeof OTHER_TABS)[number];

/** The view that an address selects. `itemId`: the event, or the rejected request. */
export type View =
  | { kind: 'endpoints' }
  | { kind: 'endpoint'; endpointId: string; tab: Tab; itemId: string | null }
  | { kind: 'compare'; endpointId: string; left: string; right: string }
  | { kind: 'event'; eventId: string }
  | { kind: 'issues'; issueId: string | null }
  | { kind: 'account' }
  | { kind: 'nothing' };

export function viewOf(path: string): View {
  const [first, id, tab, third, fourth, ...rest] = path.split('/').slice(1);
  if (rest.length > 0) return { kind: 'nothing' };
  if (first === '' || first === 'setup' || first === 'login') return { kind: 'endpoints' };
  if (first === 'account' && !id) return { kind: 'account' };
  if (first === 'events' && id && !tab) return { kind: 'event', eventId: id };
  if (first === 'issues' && !tab) return { kind: 'issues', issueId: id || null };
  if (first !== 'endpoints') return { kind: 'nothing' };
  if (!id) return { kind: 'endpoints' };
  if (tab === 'compare' && third && fourth) {
    return { kind: 'compare', endpointId: id, left: third, right: fourth };
  }
  if (fourth !== undefined) return { kind: 'nothing' };
  if (tab === undefined || tab === '' || tab === 'events') {
    return { kind: 'endpoint', endpointId: id, tab: 'events', itemId: third || null };
  }
  const other = OTHER_TABS.find((one) => one === tab);
  if (other && (third === undefined || other === 'rejected')) {
    return { kind: 'endpoint', endpointId: id, tab: other, itemId: third || null };
  }
  return { kind: 'nothing' };
}

export const eventPath = (endpointId: string, eventId: string): string =>
  `/endpoints/${endpointId}/events/${eventId}`;

/** The rejected requests of an endpoint, or one of them. */
export const rejectedPath = (endpointId: string, rejectedId?: string): string =>
  `/endpoints/${endpointId}/rejected${rejectedId === undefined ? '' : `/${rejectedId}`}`;

/** The schema of an endpoint's type, in a format; null for the events that have no type. */
export function typePath(endpointId: string, type: string | null, format?: string): string {
  const query = new URLSearchParams({ type: type ?? '', ...(format !== undefined && { format }) });
  return `/endpoints/${endpointId}/types?${query}`;
}
