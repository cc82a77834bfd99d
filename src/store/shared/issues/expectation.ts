import type { EndpointPatch } from '../../contract/endpoints.ts';

/** `endpoints.expected_since` after a patch that names `expect`. */
export function expectedSince({ expect }: EndpointPatch): number | null {
  return expect && expect.everyMs !== null ? expect.now : null;
}

/**
 * Whether requests may be judged otherwise after a patch: its settings then have a new
 * version. An expectation judges no request.
 */
export function mayJudge(patch: EndpointPatch): boolean {
  const { expect: _, ...rest } = patch;
  return Object.keys(rest).length > 0;
}
