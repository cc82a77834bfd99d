import { HookrelayError } from '../../core/errors.ts';
import {
  type DeliveryTarget,
  deliveryTarget,
} from '../../delivery/transports/webhook/delivery-target.ts';
import type { ApiClient } from '../client/api-client.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';

const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * The URL to send to. Any URL is taken unchanged and needs no account. Other text
 * names an endpoint of the account; undefined is the only endpoint.
 *
 * Throws `config_invalid` for an unusable URL, and as `findEndpoint` does.
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

/**
 * Splits the target into origin and path, with a captured event's sub-path and query
 * appended. Throws `invalid_target` for a sub-path that leads out of the target.
 */
export function requestTarget(url: string, subPath = '', query = ''): DeliveryTarget {
  const target = deliveryTarget(url, subPath, query);
  if (target) return target;
  throw new HookrelayError('invalid_target', `the path ${subPath} leads out of ${url}`);
}
