import { InvalidArgumentError } from 'commander';

/** Where something under development listens most often. */
const DEFAULT_PORT = 3000;
const FORMS =
  'Expected a port, a /path, or a URL: 3000, 3000/hooks, /hooks, http://localhost:3000.';

/**
 * A forwarding target as an absolute URL: from a port (`3000`, `:3000`), a port
 * or host and a path (`3000/hooks`, `localhost:3000/hooks`), a path on port 3000
 * (`/hooks`), or a URL as it stands.
 */
export function parseTarget(value: string): string {
  const text = value.trim();
  const url = URL.parse(completed(text));
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  // Port 0 is what a program listens on to get another one.
  if (!url || !isHttp || url.port === '0' || url.username || url.password || url.hash) {
    throw new InvalidArgumentError(FORMS);
  }
  return url.href;
}

export const DEFAULT_TARGET = parseTarget(String(DEFAULT_PORT));

function completed(text: string): string {
  if (/^https?:\/\//i.test(text)) return text;
  if (text.startsWith('/')) return `http://localhost:${DEFAULT_PORT}${text}`;
  if (/^:?\d+(\/.*)?$/.test(text)) return `http://localhost:${text.replace(/^:/, '')}`;
  if (/^([\w.-]+|\[[\da-f:.]+\]):\d+(\/.*)?$/i.test(text)) return `http://${text}`;
  return '';
}
