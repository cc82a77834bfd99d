import { lazyView } from '../../parts/lazy-view.tsx';

/** The settings. The address names the section. */
export const Account = lazyView(() => import('./settings.tsx'));
