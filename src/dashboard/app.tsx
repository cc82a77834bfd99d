import { useEffect, useState } from 'preact/hooks';
import { endpoints, loadEndpoints, session } from './model/page.ts';
import { navigate, place, type View, viewOf } from './model/router.ts';
import { useShortcuts } from './model/shortcuts.ts';
import { nextTheme } from './model/theme.ts';
import { Account } from './views/account/account.tsx';
import { Bar } from './views/bar.tsx';
import { Compare } from './views/compare.tsx';
import { EndpointView } from './views/endpoint/endpoint.tsx';
import { Endpoints } from './views/endpoints.tsx';
import { IssuesLoader } from './views/issues/issues-loader.tsx';
import { Permalink } from './views/permalink.tsx';
import { NoticeLine } from './views/shell/notice-line.tsx';
import { ShortcutHelp } from './views/shortcut-help.tsx';
import { SignIn } from './views/sign-in.tsx';

export function App() {
  const state = session.state.value;
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts([
    { keys: '?', title: 'Show these shortcuts', group: 'Page', run: () => setHelpOpen(true) },
    { keys: 't', title: 'Change between system, light and dark', group: 'Page', run: nextTheme },
    { keys: 'g e', title: 'Go to the endpoints', group: 'Page', run: () => navigate('/endpoints') },
    { keys: 'g i', title: 'Go to the issues', group: 'Page', run: () => navigate('/issues') },
    { keys: 'g a', title: 'Go to the account', group: 'Page', run: () => navigate('/account') },
  ]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Bar onHelp={() => setHelpOpen(true)} />
      <main id="main" tabIndex={-1}>
        {state.kind === 'unknown' && <p class="waiting">Loading …</p>}
        {state.kind === 'unreachable' && <Unreachable />}
        {state.kind === 'signed-out' && <SignIn doorstep={state.doorstep} />}
        {state.kind === 'signed-in' && <Main view={viewOf(place.value)} />}
      </main>
      <NoticeLine />
      {isHelpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
    </>
  );
}

function Main({ view }: { view: View }) {
  const list = endpoints.value;
  // The endpoint may be newer than this page's list.
  const unknownId =
    'endpointId' in view && list && !list.some(({ id }) => id === view.endpointId)
      ? view.endpointId
      : null;
  const [asked, setAsked] = useState<string | null>(null);
  useEffect(() => {
    if (unknownId === null) return;
    loadEndpoints().then(
      () => setAsked(unknownId),
      () => setAsked(unknownId),
    );
  }, [unknownId]);
  if (!list) return <p class="waiting">Loading …</p>;
  if (view.kind === 'endpoints' || view.kind === 'overview' || view.kind === 'events') {
    return <Endpoints list={list} />;
  }
  if (view.kind === 'account') return <Account />;
  if (view.kind === 'issues') return <IssuesLoader issueId={view.issueId} />;
  if (view.kind === 'event') return <Permalink eventId={view.eventId} />;
  if (view.kind === 'nothing') return <Nothing what="There is nothing at this address." />;
  const endpoint = list.find(({ id }) => id === view.endpointId);
  if (!endpoint) {
    return asked === view.endpointId ? (
      <Nothing what="There is no such endpoint, or it is another account’s." />
    ) : (
      <p class="waiting">Loading …</p>
    );
  }
  if (view.kind === 'compare') return <Compare endpoint={endpoint} {...view} />;
  return <EndpointView key={endpoint.id} endpoint={endpoint} tab={view.tab} itemId={view.itemId} />;
}

function Nothing({ what }: { what: string }) {
  return (
    <div class="empty">
      <p>{what}</p>
      <p>
        <a href="/endpoints">All endpoints</a>
      </p>
    </div>
  );
}

function Unreachable() {
  return (
    <div class="empty" role="alert">
      <h1>The server does not answer</h1>
      <button type="button" class="primary" onClick={() => session.resume()}>
        Try again
      </button>
    </div>
  );
}
