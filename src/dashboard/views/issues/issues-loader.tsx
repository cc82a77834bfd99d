import { lazy } from '../../parts/lazy.tsx';

/** Loads the view of issues: the list, or one issue. */
export const IssuesLoader = lazy(async () => (await import('./issues.tsx')).Issues);
