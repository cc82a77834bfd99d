import { effect } from '@preact/signals';
import { isolated } from '../text/foreign-text.ts';
import { endpoints, session } from './page.ts';
import { type PageView, place, type Tab, viewOf } from './router.ts';
import { unread } from './unread.ts';

export const TAB_TITLE: Record<Tab, string> = {
  events: 'Events',
  destinations: 'Destinations',
  deliveries: 'Deliveries',
  replays: 'Replays',
  source: 'Source',
  rejected: 'Rejected',
  types: 'Types',
  try: 'Try it',
  settings: 'Settings',
};
/** How many characters at the end of an id the title shows. People compare these characters. */
const ID_END = 6;
const MOST_UNREAD = 999;

/** Returns the parts of a view's title, the most specific first. */
function partsOf(view: PageView, nameOf: (endpointId: string) => string): string[] {
  switch (view.kind) {
    case 'overview':
      return ['Overview'];
    case 'endpoints':
      return ['Endpoints'];
    case 'events':
      return view.eventId === null ? ['Events'] : [eventText(view.eventId), 'Events'];
    case 'event':
      return [eventText(view.eventId)];
    case 'issues':
      return view.issueId === null ? ['Issues'] : ['Issue', 'Issues'];
    case 'account':
      return view.section === null
        ? ['Settings']
        : [view.section.replace(/^./, (first) => first.toUpperCase()), 'Settings'];
    case 'compare':
      return ['Compare', nameOf(view.endpointId)];
    case 'endpoint': {
      const { tab, itemId, endpointId } = view;
      const isEvent = tab === 'events' && itemId !== null;
      return [nameOf(endpointId), isEvent ? eventText(itemId) : TAB_TITLE[tab]];
    }
    case 'nothing':
      return ['Not found'];
  }
}

const eventText = (id: string): string => `Event …${id.slice(-ID_END)}`;

/** Updates the page's title. The title counts the events that arrived while the page was hidden. */
export function followTitle(): void {
  effect(() => {
    const { kind } = session.state.value;
    const list = endpoints.value;
    const nameOf = (id: string) => isolated(list?.find((one) => one.id === id)?.name ?? 'Endpoint');
    const parts =
      kind === 'signed-in'
        ? partsOf(viewOf(place.value), nameOf)
        : kind === 'signed-out'
          ? ['Sign in']
          : [];
    const count = unread.value;
    const mark = count === 0 ? '' : `(${count > MOST_UNREAD ? `${MOST_UNREAD}+` : count}) `;
    document.title = mark + [...parts, 'hookrelay'].join(' · ');
  });
}
