import { nextZone } from '../../model/clock.ts';
import { openOverlay, overlay } from '../../model/overlay.ts';
import { act, session } from '../../model/page.ts';
import { navigate } from '../../model/router.ts';
import type { Shortcut } from '../../model/shortcuts.ts';
import { nextTheme } from '../../model/theme.ts';

const group = 'Page';

/** Toggles the palette. */
export const PALETTE: Shortcut = {
  keys: 'Mod+k',
  title: 'Find an endpoint, an event or an action',
  group,
  run: () => {
    overlay.value = overlay.value === 'palette' ? null : 'palette';
  },
};

/** Shortcuts for every view, signed in or not. */
export const ALWAYS: Shortcut[] = [
  { keys: '?', title: 'Show these shortcuts', group, run: () => openOverlay('help') },
  { keys: 't', title: 'Change between system, light and dark', group, run: nextTheme },
  { keys: '', title: 'Change between local times and UTC', group, run: nextZone },
];

const goTo = (keys: string, title: string, path: string): Shortcut => ({
  keys,
  title,
  group,
  run: () => navigate(path),
});

/** Shortcuts for every view of an account. */
export const SIGNED_IN: Shortcut[] = [
  PALETTE,
  goTo('g o', 'Go to the overview', '/'),
  goTo('g v', 'Go to the events of all endpoints', '/events'),
  goTo('g e', 'Go to the endpoints', '/endpoints'),
  goTo('g i', 'Go to the issues', '/issues'),
  goTo('g a', 'Go to the settings', '/account'),
  { keys: 'n', title: 'New endpoint', group, run: () => openOverlay('new-endpoint') },
  {
    keys: '',
    title: 'Sign out',
    group,
    run: () => {
      overlay.value = null;
      void act(() => session.logout());
    },
  },
];
