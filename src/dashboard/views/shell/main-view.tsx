import { useEffect, useState } from 'preact/hooks';
import { endpoints, loadEndpoints } from '../../model/page.ts';
import type { PageView } from '../../model/router.ts';
import { lazy } from '../../parts/lazy.tsx';
import { EndpointView } from '../endpoint/endpoint.tsx';
import { Events } from '../events/events.tsx';
import { IssuesLoader } from '../issues/issues-loader.tsx';
import { Nothing } from './nothing.tsx';
import { Permalink } from './permalink.tsx';

const Overview = lazy(async () => (await import('../overview/overview.tsx')).OverviewView);
const Endpoints = lazy(async () => (await import('../overview/endpoints.tsx')).Endpoints);
const Account = lazy(async () => (await import('../account/account.tsx')).Account);
const Compare = lazy(async () => (await import('../event/compare.tsx')).Compare);

export function MainView({ view }: { view: PageView }) {
  const list = endpoints.value;
  // The endpoint may be newer than this page's list.
  const unknownId =
    'endpointId' in view && list && !list.some(({ id }) => id === view.endpointId)
      ? view.endpointId
      : null;
  const [asked, setAsked] = useState<string | null>(null);
  useEffect(() => {
    if (unknownId === null) return;
    const done = () => setAsked(unknownId);
    loadEndpoints().then(done, done);
  }, [unknownId]);
  if (!list) return <p class="waiting">Loading …</p>;
  switch (view.kind) {
    case 'overview':
      return <Overview list={list} />;
    case 'events':
      return <Events endpoint={null} eventId={view.eventId} />;
    case 'endpoints':
      return <Endpoints list={list} />;
    case 'account':
      return <Account />;
    case 'issues':
      return <IssuesLoader issueId={view.issueId} />;
    case 'event':
      return <Permalink eventId={view.eventId} />;
    case 'nothing':
      return <Nothing title="There is nothing at this address" />;
  }
  const endpoint = list.find(({ id }) => id === view.endpointId);
  if (!endpoint) {
    return asked === view.endpointId ? (
      <Nothing title="There is no such endpoint">
        <p>It was deleted, or it is another account’s.</p>
      </Nothing>
    ) : (
      <p class="waiting">Loading …</p>
    );
  }
  if (view.kind === 'compare') return <Compare endpoint={endpoint} {...view} />;
  return <EndpointView key={endpoint.id} endpoint={endpoint} tab={view.tab} itemId={view.itemId} />;
}
