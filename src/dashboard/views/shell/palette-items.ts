import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import type { Zone } from '../../model/clock.ts';
import { endpointPath, eventPath, navigate, type Tab } from '../../model/router.ts';
import { keysOf, type Shortcut } from '../../model/shortcuts.ts';
import { TAB_TITLE } from '../../model/title.ts';
import { briefTime } from '../../text/time-text.ts';

/** An entry of the palette: an address or an action. */
export interface PaletteItem {
  id: string;
  /** The title. It may be a name that a stranger chose. */
  title: string;
  /** The kind or the place of the entry. It may also be a name that a stranger chose. */
  about: string;
  keys: string[];
  run(): void;
}

const MOST_ENDPOINTS = 8;
const EVENT_ID = /^evt_[A-Za-z0-9]+$/;

/** Returns whether the text contains each typed word, in any order. Ignores case. */
function fits(text: string, typed: string): boolean {
  const low = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => low.includes(word));
}

export function actionItems(shortcuts: readonly Shortcut[], typed: string): PaletteItem[] {
  return shortcuts
    .filter(({ title, group }) => fits(`${title} ${group}`, typed))
    .map((shortcut, i) => ({
      id: `action-${i}`,
      title: shortcut.title,
      about: shortcut.group,
      keys: keysOf(shortcut),
      run: shortcut.run,
    }));
}

/** Returns endpoints by name or id. A tab's name at the end leads to that tab. */
export function endpointItems(list: readonly EndpointAnswer[], typed: string): PaletteItem[] {
  const word = typed.trim().toLowerCase().split(/\s+/).at(-1) ?? '';
  const tab = (Object.keys(TAB_TITLE) as Tab[]).find(
    (one) => one !== 'events' && word.length > 2 && TAB_TITLE[one].toLowerCase().startsWith(word),
  );
  const plain = list.filter(({ name, id }) => fits(`${name} ${id}`, typed));
  const items = plain.map((endpoint) => itemOf(endpoint, 'events'));
  if (tab) {
    const rest = typed.trim().split(/\s+/).slice(0, -1).join(' ');
    const ofTab = rest === '' ? [] : list.filter(({ name }) => fits(name, rest));
    items.push(...ofTab.map((endpoint) => itemOf(endpoint, tab)));
  }
  return items.slice(0, MOST_ENDPOINTS);
}

function itemOf({ id, name }: EndpointAnswer, tab: Tab): PaletteItem {
  return {
    id: `endpoint-${id}-${tab}`,
    title: name,
    about: tab === 'events' ? 'Endpoint' : TAB_TITLE[tab],
    keys: [],
    run: () => navigate(endpointPath(id, tab)),
  };
}

/** Returns the entry for an event's id, or the entries that search for the text. */
export function searchItems(typed: string, here: EndpointAnswer | undefined): PaletteItem[] {
  const text = typed.trim();
  if (text === '') return [];
  if (EVENT_ID.test(text)) {
    const run = () => navigate(`/events/${text}`);
    return [{ id: 'event-by-id', title: text, about: 'Event by its id', keys: [], run }];
  }
  const query = `?${new URLSearchParams({ q: text })}`;
  const all: PaletteItem = {
    id: 'search-all',
    title: text,
    about: 'Search the bodies of all endpoints',
    keys: [],
    run: () => navigate(`/events${query}`),
  };
  if (!here) return [all];
  const run = () => navigate(endpointPath(here.id) + query);
  return [{ id: 'search-here', title: text, about: 'Search the bodies here', keys: [], run }, all];
}

export function eventItems(
  found: readonly EventSummaryAnswer[],
  list: readonly EndpointAnswer[],
  now: number,
  zone: Zone,
): PaletteItem[] {
  return found.map((event) => {
    const name = list.find(({ id }) => id === event.endpoint_id)?.name ?? '';
    const time = briefTime(Date.parse(event.received_at), now, zone);
    return {
      id: event.id,
      title: event.event_type ?? `${event.method} ${event.path || '/'}`,
      about: `${name} · ${time}`,
      keys: [],
      run: () => navigate(eventPath(event.endpoint_id, event.id)),
    };
  });
}
