import { HookrelayError } from '../../core/errors.ts';
import {
  type DeliveryTarget,
  deliveryTarget,
} from '../../delivery/transports/webhook/delivery-target.ts';
import type { ApiClient } from '../client/api-client.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';

const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Returns the URL to send to. A URL needs no account. Any other text names an endpoint; undefined
 * means the account's only endpoint. Throws `config_invalid` for an unusable URL, and the errors of
 * `findEndpoint`.
 */
export async function resolveTriggerTarget(
  client: ApiClient,
  to: string | undefined,
): Promise<string> {
  if (to !== undefined && URL_START.test(to)) return checkedUrl(to);
  return (await findEndpoint(client, to)).capture_url;
}

function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new HookrelayError('config_invalid', `"${text}" is not an http or https URL`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new HookrelayError('config_invalid', 'a target URL must have no user name or password');
  }
  url.hash = '';
  return url.href;
}

/** Throws `invalid_target` if the path leads out of the URL's path. */
export function requestTarget(url: string, subPath = '', query = ''): DeliveryTarget {
  const target = deliveryTarget(url, subPath, query);
  if (target) return target;
  throw new HookrelayError('invalid_target', `the path ${subPath} leads out of ${url}`);
}
