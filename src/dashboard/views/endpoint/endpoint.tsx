import { useEffect, useRef } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { tell } from '../../model/page.ts';
import { endpointPath, navigate, type Tab } from '../../model/router.ts';
import { useShortcuts } from '../../model/shortcuts.ts';
import { TAB_TITLE } from '../../model/title.ts';
import { CopyButton, copyText } from '../../parts/copy-button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { isolated } from '../../text/foreign-text.ts';
import { Events } from '../events/events.tsx';
import { TestEventButton } from './test-event-button.tsx';

const Destinations = lazy(
  async () => (await import('../destination/destinations.tsx')).Destinations,
);
const DestinationView = lazy(
  async () => (await import('../destination/destination-view.tsx')).DestinationView,
);
const DeliveryList = lazy(
  async () => (await import('../deliveries/delivery-list.tsx')).DeliveryList,
);
const ReplayList = lazy(async () => (await import('../replay/replay-list.tsx')).ReplayList);
const Rejected = lazy(async () => (await import('../rejected/rejected.tsx')).Rejected);
const Types = lazy(async () => (await import('../types/types.tsx')).Types);
const TryIt = lazy(async () => (await import('./try-it.tsx')).TryIt);
const EndpointSettings = lazy(
  async () => (await import('./endpoint-settings.tsx')).EndpointSettings,
);

/** The tabs. The number keys open them in this order, beginning with 1. */
const TABS: readonly Tab[] = [
  'events',
  'destinations',
  'deliveries',
  'replays',
  'rejected',
  'types',
  'try',
  'settings',
];

interface EndpointViewProps {
  endpoint: EndpointAnswer;
  tab: Tab;
  /** The id of the open event, rejected request or destination. */
  itemId: string | null;
}

/** Shows an endpoint's name, its capture URL, and one of its tabs. */
export function EndpointView({ endpoint, tab, itemId }: EndpointViewProps) {
  const { id, name, capture_url } = endpoint;
  useShortcuts([
    ...TABS.map((to, i) => ({
      keys: String(i + 1),
      title: TAB_TITLE[to],
      group: 'Endpoint',
      run: () => navigate(endpointPath(id, to)),
    })),
    {
      keys: 'u',
      title: 'Copy the capture URL',
      group: 'Endpoint',
      run: () => void copyText(capture_url).then(() => tell('The capture URL is copied')),
    },
  ]);
  // On a phone, the tabs are wider than the screen. Scroll the open tab into view.
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = tabs.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  return (
    <div class={`endpoint ${tab === 'events' && itemId !== null ? 'has-event' : ''}`}>
      <div class="endpoint-head">
        <h1 title={isolated(name)}>
          <Foreign text={name} />
        </h1>
        {!endpoint.is_active && <span class="badge is-paused">‖ paused</span>}
        <CopyButton text={capture_url} label={`Copy the capture URL ${capture_url}`} class="url">
          <span class="mono url-text">{capture_url}</span>
        </CopyButton>
        <TestEventButton endpoint={endpoint} />
      </div>
      <nav class="tabs" aria-label="Endpoint" ref={tabs}>
        {TABS.map((to) => (
          <a
            key={to}
            href={endpointPath(id, to)}
            aria-current={to === (tab === 'source' ? 'settings' : tab) ? 'page' : undefined}
          >
            {TAB_TITLE[to]}
          </a>
        ))}
      </nav>
      {tab === 'events' && <Events endpoint={endpoint} eventId={itemId} />}
      {tab === 'destinations' &&
        (itemId === null ? (
          <Destinations endpoint={endpoint} />
        ) : (
          <DestinationView key={itemId} endpoint={endpoint} destinationId={itemId} />
        ))}
      {tab === 'deliveries' && <DeliveryList endpoint={endpoint} />}
      {tab === 'replays' && <ReplayList endpoint={endpoint} />}
      {tab === 'rejected' && <Rejected endpoint={endpoint} rejectedId={itemId} />}
      {tab === 'types' && <Types endpoint={endpoint} />}
      {tab === 'try' && <TryIt endpoint={endpoint} />}
      {(tab === 'settings' || tab === 'source') && (
        <EndpointSettings endpoint={endpoint} isSource={tab === 'source'} />
      )}
    </div>
  );
}
