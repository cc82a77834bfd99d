import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { escapeAttribute, escapeText } from 'entities/escape';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}' +
  'button{font:inherit;padding:.4rem 1rem}:root{color-scheme:light dark}';

/**
 * Blocks scripts, external files, and forms to other servers. The page's address contains the
 * token: `same-origin` hides the address from other sites. `no-referrer` would also hide the form's
 * origin from this server.
 */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
};

export interface ConfirmPage {
  status: number;
  title: string;
  html: string;
}

/** Returns a page with a button, because mail scanners open links but press no buttons. */
export function questionPage(address: string, token: string): ConfirmPage {
  return {
    status: 200,
    title: 'Confirm alerts by email',
    html:
      `<p>hookrelay is asked to send its alerts to <strong>${escapeText(address)}</strong>.</p>` +
      '<form method="post" action="/confirm">' +
      `<input type="hidden" name="token" value="${escapeAttribute(token)}">` +
      '<button type="submit">Send alerts to this address</button></form>' +
      '<p>If you don’t expect this, close the page: nothing is sent without the button.</p>',
  };
}

export function confirmedPage(address: string): ConfirmPage {
  return {
    status: 200,
    title: 'Confirmed',
    html: `<p>Alerts go to <strong>${escapeText(address)}</strong> from now on.</p>`,
  };
}

export const INVALID_LINK_PAGE: ConfirmPage = {
  status: 404,
  title: 'This link does not work',
  html:
    '<p>It was used already, is older than 24 hours, or is incomplete.</p>' +
    '<p>The owner of the account can send another one: set the address of the channel again.</p>',
};

export function sendConfirmPage(res: ServerResponse, { status, title, html }: ConfirmPage): void {
  const page =
    `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">\n` +
    `<title>${title} · hookrelay</title>\n<style>${STYLE}</style>\n` +
    `<main><h1>${title}</h1>\n${html}</main>\n</html>\n`;
  const headers = { ...HEADERS, 'content-length': Buffer.byteLength(page) };
  res.writeHead(status, headers).end(page);
}
