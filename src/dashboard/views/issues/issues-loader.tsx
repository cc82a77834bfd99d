import { lazy } from '../../parts/lazy.tsx';

/** The issues: the list, or one of them. */
export const IssuesLoader = lazy(async () => (await import('./issues.tsx')).Issues);
