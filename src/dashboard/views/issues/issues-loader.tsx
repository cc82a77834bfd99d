import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface IssuesProps {
  issueId: string | null;
}

/** Loads the view when it is opened: most visits never do. */
export function IssuesLoader(props: IssuesProps) {
  const [Issues, setIssues] = useState<ComponentType<IssuesProps> | null>(null);
  useEffect(() => {
    void import('./issues.tsx').then(({ default: view }) => setIssues(() => view));
  }, []);
  return Issues ? <Issues {...props} /> : <p class="waiting">Loading …</p>;
}
