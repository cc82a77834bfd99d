import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

/** Paths of the dashboard's views. Other paths go to the API. */
const PAGE =
  /^\/(?:(?:endpoints|events|issues|account)(?:\/[A-Za-z0-9_/-]*)?|overview|setup|login)?$/;
const ASSETS = '/assets/';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Encodings, best first. The build writes each encoded file beside the plain one. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

/**
 * Lets the page load only its own files and call only its own server. So text from senders can't
 * become a style, a frame, a request or a script. `require-trusted-types-for` blocks scripts even
 * after a mistake in the page.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  // Shows a picture in an event's body. Only the page itself can make such a `blob:` URL.
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The policy of this name lets only the page's own worker start.
  'trusted-types hookrelay-worker',
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Served if the dashboard isn't built, for example after `npm ci` in a checkout. */
const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>hookrelay</title>
<h1>hookrelay is running</h1>
<p>Its dashboard is not built. <code>npm start</code> builds it and starts the server.</p>
<p>The API works without it: <a href="/api/openapi.json">/api/openapi.json</a> describes it.</p>
</html>
`;

interface Content {
  body: Buffer;
  etag: string;
}

interface File {
  type: string;
  plain: Content;
  encoded: Map<string, Content>;
}

export interface DashboardFiles {
  /** Returns false for requests that aren't for the page or an asset. */
  serve(req: IncomingMessage, res: ServerResponse): boolean;
  /**
   * Sends 404 with the page to a browser at an unknown address. Returns false for other requests.
   */
  serveLost(req: IncomingMessage, res: ServerResponse): boolean;
}

/**
 * Serves the built page from memory, because the system can't read files inside a packed binary. The
 * first request reads all files at once, so the page and its assets are of the same build. Reading
 * and hashing two hundred files at the start would delay it.
 * Names of assets contain a hash, so browsers cache assets for good. Browsers revalidate the page
 * each time.
 *
 * @param directory `dist/dashboard`; if it is missing, a page explains how to build it
 */
export function dashboardFiles(directory: string): DashboardFiles {
  let files: { page: File; assets: Map<string, File> } | undefined;
  const loaded = () => {
    files ??= {
      page: readFile(join(directory, 'index.html')) ?? fileOf('.html', Buffer.from(NOT_BUILT)),
      assets: readAssets(join(directory, 'assets')),
    };
    return files;
  };
  return {
    serve(req, res) {
      if (!isRead(req)) return false;
      const path = pathOf(req);
      if (PAGE.test(path)) {
        send(req, res, loaded().page, 'no-cache');
        return true;
      }
      const asset = path.startsWith(ASSETS) && loaded().assets.get(path.slice(ASSETS.length));
      if (!asset) return false;
      send(req, res, asset, 'public, max-age=31536000, immutable');
      return true;
    },
    serveLost(req, res) {
      const accepts = req.headers.accept ?? '';
      const isAsset = pathOf(req).startsWith(ASSETS);
      if (!isRead(req) || isAsset || !/\btext\/html\b/.test(accepts)) return false;
      send(req, res, loaded().page, 'no-cache', 404);
      return true;
    },
  };
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';
const pathOf = (req: IncomingMessage): string => (req.url as string).split('?', 1)[0] as string;

function readAssets(directory: string): Map<string, File> {
  const assets = new Map<string, File>();
  if (!existsSync(directory)) return assets;
  for (const name of readdirSync(directory)) {
    const file = extname(name) in TYPES ? readFile(join(directory, name)) : null;
    if (file) assets.set(name, file);
  }
  return assets;
}

function readFile(path: string): File | null {
  if (!existsSync(path)) return null;
  const file = fileOf(extname(path), readFileSync(path));
  for (const { name, suffix } of ENCODINGS) {
    if (existsSync(path + suffix)) file.encoded.set(name, contentOf(readFileSync(path + suffix)));
  }
  return file;
}

function fileOf(extension: string, body: Buffer): File {
  return { type: TYPES[extension] as string, plain: contentOf(body), encoded: new Map() };
}

function contentOf(body: Buffer): Content {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  file: File,
  cacheControl: string,
  status = 200,
): void {
  const accepted = String(req.headers['accept-encoding'] ?? '')
    .split(',')
    .filter((coding) => !/;\s*q=0(?:\.0*)?\s*$/.test(coding))
    .map((coding) => coding.split(';', 1)[0]?.trim().toLowerCase());
  const encoding = ENCODINGS.find(({ name }) => accepted.includes(name) && file.encoded.has(name));
  const { body, etag } = (encoding && file.encoded.get(encoding.name)) ?? file.plain;
  const headers = {
    ...PAGE_HEADERS,
    'cache-control': cacheControl,
    etag,
    vary: 'accept-encoding',
  };
  if (status === 200 && req.headers['if-none-match']?.split(/\s*,\s*/).includes(etag)) {
    res.writeHead(304, headers).end();
    return;
  }
  res
    .writeHead(status, {
      ...headers,
      'content-type': file.type,
      'content-length': body.length,
      ...(encoding && { 'content-encoding': encoding.name }),
    })
    .end(body);
}
