import { useEffect, useRef } from 'preact/hooks';
import type { Endpoint } from '../../../api/answers/endpoint.ts';
import { tell } from '../../model/page.ts';
import type { Tab } from '../../model/router.ts';
import { navigate } from '../../model/router.ts';
import { useShortcuts } from '../../model/shortcuts.ts';
import { CopyButton, copyText } from '../../parts/copy-button.tsx';
import { Events } from '../events.tsx';
import { Rejected } from '../rejected/rejected.tsx';
import { ReplayList } from '../replay/replay-list.tsx';
import { Types } from '../types/types.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { Destinations } from './destinations.tsx';
import { EndpointSettings } from './endpoint-settings.tsx';
import { TestEventButton } from './test-event-button.tsx';
import { TryIt } from './try-it.tsx';

const TABS: { tab: Tab; title: string; key: string }[] = [
  { tab: 'events', title: 'Events', key: '1' },
  { tab: 'destinations', title: 'Destinations', key: '2' },
  { tab: 'deliveries', title: 'Deliveries', key: '3' },
  { tab: 'replays', title: 'Replays', key: '4' },
  { tab: 'rejected', title: 'Rejected', key: '5' },
  { tab: 'types', title: 'Types', key: '6' },
  { tab: 'try', title: 'Try it', key: '7' },
  { tab: 'settings', title: 'Settings', key: '8' },
];

interface EndpointViewProps {
  endpoint: Endpoint;
  tab: Tab;
  /** The event, or the rejected request, that is open. */
  itemId: string | null;
}

export function EndpointView({ endpoint, tab, itemId }: EndpointViewProps) {
  const { id, capture_url } = endpoint;
  const hrefOf = (to: Tab) => (to === 'events' ? `/endpoints/${id}` : `/endpoints/${id}/${to}`);
  useShortcuts([
    ...TABS.map(({ tab: to, title, key }) => ({
      keys: key,
      title,
      group: 'Endpoint',
      run: () => navigate(hrefOf(to)),
    })),
    {
      keys: 'u',
      title: 'Copy the capture URL',
      group: 'Endpoint',
      run: () => void copyText(capture_url).then(() => tell('The capture URL is copied')),
    },
  ]);
  // On a phone, the tabs are wider than the screen.
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = tabs.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  return (
    <div class={`endpoint ${tab === 'events' && itemId !== null ? 'has-event' : ''}`}>
      <div class="endpoint-head">
        <h1 title={endpoint.name}>{endpoint.name}</h1>
        {!endpoint.is_active && <span class="badge is-paused">paused</span>}
        <CopyButton text={capture_url} label={`Copy the capture URL ${capture_url}`} class="url">
          <span class="mono url-text">{capture_url}</span>
        </CopyButton>
        <TestEventButton endpointId={id} isActive={endpoint.is_active} />
      </div>
      <nav class="tabs" aria-label="Endpoint" ref={tabs}>
        {TABS.map(({ tab: to, title }) => (
          <a key={to} href={hrefOf(to)} aria-current={to === tab ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {tab === 'events' && <Events endpoint={endpoint} eventId={itemId} />}
      {tab === 'destinations' && <Destinations endpoint={endpoint} />}
      {tab === 'deliveries' && <DeliveryList endpoint={endpoint} />}
      {tab === 'replays' && <ReplayList endpoint={endpoint} />}
      {tab === 'rejected' && <Rejected endpoint={endpoint} rejectedId={itemId} />}
      {tab === 'types' && <Types endpoint={endpoint} />}
      {tab === 'try' && <TryIt endpoint={endpoint} />}
      {(tab === 'settings' || tab === 'source') && <EndpointSettings endpoint={endpoint} />}
    </div>
  );
}
