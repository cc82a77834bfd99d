import { render } from 'preact';
import { App } from './app.tsx';
import { startClock } from './model/clock.ts';
import { session } from './model/page.ts';
import { followLinks } from './model/router.ts';
import { listenForShortcuts } from './model/shortcuts.ts';
import { applyTheme } from './model/theme.ts';
import { countUnread } from './model/unread.ts';

const root = document.getElementById('app') as HTMLElement;
applyTheme();
startClock();
followLinks(root);
listenForShortcuts();
countUnread();
void session.resume();
root.replaceChildren();
render(<App />, root);
