import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import type { HeaderPair } from '../../src/core/model.ts';
import type { Vector } from './vector.ts';

/* What the documentation of many providers says in the same way. */

/** Secrets that are any text. */
export const TEXTS = { secret: 'shhh-3c1f0c7a', otherSecret: 'shhh-0a8be21d' };
/** Secrets of Standard Webhooks. */
export const WHSEC = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  otherSecret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
};
export const BODY = '{"id":"evt_1","type":"thing.created","text":"Grüße, \\u00e9, 🙂","n":1.0}';

export function hmac(
  hash: 'sha1' | 'sha256' | 'sha512',
  key: string | Buffer,
  encoding: 'hex' | 'base64',
  ...parts: (string | Buffer)[]
): string {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return createHmac(hash, key).update(bytes).digest(encoding);
}

/** One header has the encoded HMAC of the body, after a prefix. */
export function bodyVector(
  header: string,
  encoding: 'hex' | 'base64',
  prefix = '',
  hash: 'sha1' | 'sha256' | 'sha512' = 'sha256',
): Vector {
  return {
    ...TEXTS,
    header,
    body: BODY,
    sign: ({ body }, secret) => ({
      headers: [[header, prefix + hmac(hash, secret, encoding, body)]],
    }),
  };
}

export const seconds = (at: number) => String(at / 1000);

/** The libraries of Standard Webhooks and Svix sign and verify the three headers. */
export function standardVector(prefix: 'webhook' | 'svix', secrets = WHSEC): Vector {
  const Library = prefix === 'svix' ? SvixWebhook : Webhook;
  return {
    ...secrets,
    header: `${prefix}-signature`,
    body: BODY,
    window: { pastS: 300, futureS: 300 },
    sign: ({ body, at }, secret) => ({
      headers: [
        [`${prefix}-id`, 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'],
        [`${prefix}-timestamp`, seconds(at)],
        [
          `${prefix}-signature`,
          new Library(secret).sign(
            'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
            new Date(at),
            body.toString(),
          ),
        ],
      ],
    }),
    accepts: ({ headers, body }, secret) =>
      isAccepted(() => new Library(secret).verify(body.toString(), asObject(headers))),
  };
}

/** Headers by their lower-case names. */
export function asObject(headers: readonly HeaderPair[]): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Whether a library that throws for a bad signature accepts. */
export async function isAccepted(check: () => unknown): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}
