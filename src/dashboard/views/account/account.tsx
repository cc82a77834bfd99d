import '../../styles/setting-rows.css';
import '../../styles/settings-page.css';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { session } from '../../model/page.ts';
import { place, type Section, viewOf } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { useAct } from '../../parts/form/use-act.ts';
import { lazy } from '../../parts/lazy.tsx';
import { ViewHead } from '../shell/view-head.tsx';
import { Audit } from './audit.tsx';
import { Channels } from './channels.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';

const System = lazy(async () => (await import('../system/system.tsx')).System);

const SECTIONS: readonly { name: Section; title: string; View: ComponentType }[] = [
  { name: 'alerts', title: 'Alerts', View: Channels },
  { name: 'tokens', title: 'API tokens', View: Tokens },
  { name: 'sessions', title: 'Sessions', View: Sessions },
  { name: 'audit', title: 'Audit', View: Audit },
  { name: 'system', title: 'System', View: System },
];

/** Shows the account's settings, one section at a time. Each section has its own address. */
export function Account() {
  const state = session.state.value;
  const view = viewOf(place.value);
  const name = (view.kind === 'account' && view.section) || 'alerts';
  const section = SECTIONS.find((one) => one.name === name);
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = tabs.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [name]);
  if (state.kind !== 'signed-in') return null;
  return (
    <div class="page-body narrow settings">
      <ViewHead
        title="Settings"
        what={
          <>
            <Foreign text={state.user.email} /> · {state.user.plan} plan
          </>
        }
        actions={<SignOut />}
      />
      <nav class="tabs settings-tabs" aria-label="Settings" ref={tabs}>
        {SECTIONS.map((one) => (
          <a
            key={one.name}
            href={`/account/${one.name}`}
            aria-current={one === section ? 'page' : undefined}
          >
            {one.title}
          </a>
        ))}
      </nav>
      {section && <section.View key={name} />}
    </div>
  );
}

function SignOut() {
  const [isBusy, run] = useAct();
  return (
    <button type="button" disabled={isBusy} onClick={() => run(() => session.logout())}>
      Sign out
    </button>
  );
}
