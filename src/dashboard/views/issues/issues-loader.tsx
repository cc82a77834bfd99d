import { lazyView } from '../../parts/lazy-view.tsx';

/** The issues: the list, or one of them. */
export const IssuesLoader = lazyView(() => import('./issues.tsx'));
