import { lazy } from '../../parts/lazy.tsx';

export const IssuesLoader = lazy(async () => (await import('./issues.tsx')).Issues);
