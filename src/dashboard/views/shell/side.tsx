import { useEffect, useState } from 'preact/hooks';
import { openOverlay } from '../../model/overlay.ts';
import { live, session } from '../../model/page.ts';
import { place, viewOf } from '../../model/router.ts';
import { keysOf } from '../../model/shortcuts.ts';
import { ConnectionMark } from './connection-mark.tsx';
import { DisplayTools } from './display-tools.tsx';
import { EndpointNav } from './endpoint-nav.tsx';
import { IssueLink } from './issue-link.tsx';
import { PALETTE } from './page-shortcuts.ts';

/** The navigation. It is at the left of a wide screen, and at the foot of a narrow one. */
export function Side() {
  const state = session.state.value;
  const stream = live.value;
  const at = place.value;
  const view = viewOf(at);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [at]);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false);
    window.addEventListener('keydown', close);
    return () => window.removeEventListener('keydown', close);
  }, [isOpen]);
  if (state.kind !== 'signed-in') {
    return (
      <header class="door-bar">
        <span class="brand">hookrelay</span>
        <DisplayTools />
      </header>
    );
  }
  const current = (isHere: boolean) => (isHere ? 'page' : undefined);
  return (
    <header class={`frame ${isOpen ? 'is-open' : ''}`}>
      <div class="side-top">
        <a class="brand" href="/">
          hookrelay
        </a>
        {stream && <ConnectionMark stream={stream} />}
      </div>
      <nav class="side-main" aria-label="Main">
        <a class="side-link" href="/" aria-current={current(view.kind === 'overview')}>
          Overview
        </a>
        <a class="side-link" href="/events" aria-current={current(view.kind === 'events')}>
          Events
        </a>
        <IssueLink isCurrent={view.kind === 'issues'} />
        <button
          type="button"
          class="side-link side-opener"
          aria-expanded={isOpen}
          aria-controls="side-rest"
          onClick={() => setOpen(!isOpen)}
        >
          More
        </button>
      </nav>
      <div class="side-rest" id="side-rest">
        <button type="button" class="side-search" onClick={() => openOverlay('palette')}>
          <span>Find or do …</span>
          <span class="side-keys" aria-hidden="true">
            {keysOf(PALETTE).join(' ')}
          </span>
        </button>
        <EndpointNav view={view} />
        <div class="side-foot">
          <a
            class="side-link"
            href="/account"
            title={`Settings of ${state.user.email} (g a)`}
            aria-current={current(view.kind === 'account')}
          >
            Settings
          </a>
          <DisplayTools />
        </div>
      </div>
    </header>
  );
}
