import { InvalidArgumentError } from '@commander-js/extra-typings';

const DEFAULT_PORT = 3000;
const FORMS =
  'Expected a port, a /path, or a URL: 3000, 3000/hooks, /hooks, http://localhost:3000.';

/**
 * Returns a target's absolute URL. Takes a URL, a port (`3000`, `:3000`), a port or host with a
 * path (`3000/hooks`, `localhost:3000/hooks`), or a path (`/hooks`, on port 3000).
 */
export function parseForwardTarget(value: string): string {
  const text = value.trim();
  const url = URL.parse(completed(text));
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  // Nothing can listen on port 0, because it means "any free port".
  if (!url || !isHttp || url.port === '0' || url.username || url.password || url.hash) {
    throw new InvalidArgumentError(FORMS);
  }
  return url.href;
}

export const DEFAULT_FORWARD_TARGET = parseForwardTarget(String(DEFAULT_PORT));

function completed(text: string): string {
  if (/^https?:\/\//i.test(text)) return text;
  if (text.startsWith('/')) return `http://localhost:${DEFAULT_PORT}${text}`;
  if (/^:?\d+(\/.*)?$/.test(text)) return `http://localhost:${text.replace(/^:/, '')}`;
  if (/^([\w.-]+|\[[\da-f:.]+\]):\d+(\/.*)?$/i.test(text)) return `http://${text}`;
  return '';
}
