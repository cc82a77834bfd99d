import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface GithubExample {
  /** The event type. */
  name: string;
  payload: Record<string, unknown>;
}

/** Every example of GitHub's own list of webhook events. */
export function githubExamples(): GithubExample[] {
  const file = createRequire(import.meta.url).resolve('@octokit/webhooks-examples');
  const list = JSON.parse(readFileSync(file, 'utf8')) as {
    name: string;
    examples: Record<string, unknown>[];
  }[];
  return list.flatMap(({ name, examples }) => examples.map((payload) => ({ name, payload })));
}
