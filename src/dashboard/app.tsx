import { closeOverlay, overlay } from './model/overlay.ts';
import { session } from './model/page.ts';
import { place, viewOf } from './model/router.ts';
import { useShortcuts } from './model/shortcuts.ts';
import { lazy } from './parts/lazy.tsx';
import { FreshData } from './views/shell/fresh-data.tsx';
import { MainView } from './views/shell/main-view.tsx';
import { NewEndpoint } from './views/shell/new-endpoint.tsx';
import { NoticeLine } from './views/shell/notice-line.tsx';
import { ALWAYS, SIGNED_IN } from './views/shell/page-shortcuts.ts';
import { ShortcutHelp } from './views/shell/shortcut-help.tsx';
import { Side } from './views/shell/side.tsx';
import { SignIn } from './views/shell/sign-in.tsx';

const Palette = lazy(async () => (await import('./views/shell/palette.tsx')).Palette);

export function App() {
  const state = session.state.value;
  const isSignedIn = state.kind === 'signed-in';
  const over = overlay.value;
  useShortcuts(isSignedIn ? [...ALWAYS, ...SIGNED_IN] : ALWAYS);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Side />
      <main id="main" tabIndex={-1}>
        {state.kind === 'unknown' && <p class="waiting">Loading …</p>}
        {state.kind === 'unreachable' && <Unreachable />}
        {state.kind === 'signed-out' && <SignIn doorstep={state.doorstep} />}
        {isSignedIn && <MainView view={viewOf(place.value)} />}
      </main>
      {isSignedIn && <FreshData />}
      <NoticeLine />
      {over === 'help' && <ShortcutHelp onClose={() => closeOverlay('help')} />}
      {isSignedIn && over === 'palette' && <Palette onClose={() => closeOverlay('palette')} />}
      {isSignedIn && over === 'new-endpoint' && (
        <NewEndpoint onClose={() => closeOverlay('new-endpoint')} />
      )}
    </>
  );
}

function Unreachable() {
  return (
    <div class="empty" role="alert">
      <h1>The server does not answer</h1>
      <p>It may be starting. Senders send again what it misses meanwhile.</p>
      <button type="button" class="primary" onClick={() => session.resume()}>
        Try again
      </button>
    </div>
  );
}
