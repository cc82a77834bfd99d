import { createHmac } from 'node:crypto';

/** The provider whose signature the benchmark makes. */
export const SIGNING_PROVIDER = 'github';

/** The header by which GitHub signs a body: HMAC-SHA256, without a time. */
export function signedHeader(body: string, secret: string): [name: string, value: string] {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return ['X-Hub-Signature-256', `sha256=${signature}`];
}
