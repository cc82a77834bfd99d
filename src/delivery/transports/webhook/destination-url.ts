import type { LookupAddress } from 'node:dns';
import net from 'node:net';
import { HookrelayError } from '../../../core/errors.ts';
import { isPublicAddress } from '../../network/block-list.ts';
import { isLocalName } from '../../network/name-resolver.ts';

/** The longest destination URL, both as given and as normalised, characters. */
const DESTINATION_URL_MAX_LENGTH = 2048;
/** How long an API request for a destination may wait for DNS, ms. */
const LOOKUP_TIMEOUT_MS = 1000;
const ABSOLUTE = 'must be an absolute URL, such as https://example.com/webhooks';
/**
 * Matches a URL with a host. The URL parser reads `https:///x` and `https:x` as `https://x/`,
 * although the host is missing.
 */
const WITH_HOST = /^\s*[^/]+:\/\/[^/\\\s]/;

export interface DestinationUrlRules {
  /** The operator's `--allow-private-destinations`. It allows any host, and `http:`. */
  allowPrivate: boolean;
  /** Returns every address of a name. */
  resolve: (hostname: string) => Promise<LookupAddress[]>;
}

/**
 * Checks and normalises a destination's URL. Removes the fragment, because it is never sent, and a
 * trailing dot of the host.
 *
 * This check only informs users early. The agent checks the address at every connect, because a
 * name can lead to another address later. A name that doesn't resolve within a second is accepted,
 * because its owner may set up DNS later.
 *
 * @throws {HookrelayError} `invalid_input` with one issue at `url`.
 */
export async function checkDestinationUrl(
  text: string,
  { allowPrivate, resolve }: DestinationUrlRules,
): Promise<URL> {
  const url = parse(text, allowPrivate);
  if (allowPrivate) return url;

  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  if (net.isIP(host)) {
    if (!isPublicAddress(host)) refuse('must not be a private or reserved address');
    return url;
  }
  if (isLocalName(host)) refuse('must be a public host, not a local name');
  const addresses = await boundedLookup(resolve, host);
  if (!addresses.every(({ address }) => isPublicAddress(address))) {
    refuse('must be a public host: this name resolves to a private or reserved address');
  }
  return url;
}

function parse(text: string, allowPrivate: boolean): URL {
  const url = text.length <= DESTINATION_URL_MAX_LENGTH ? URL.parse(text) : tooLong();
  if (!url) refuse(ABSOLUTE);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    refuse(allowPrivate ? 'must start with https:// or http://' : 'must start with https://');
  }
  if (!WITH_HOST.test(text)) refuse(ABSOLUTE);
  if (url.username || url.password) refuse('must not contain a user name or password');
  if (url.port === '0') refuse('must not use port 0');
  url.hash = '';
  if (url.hostname.endsWith('.')) {
    const host = url.hostname.replace(/\.+$/, '');
    url.hostname = host;
    // The setter ignores a bad value, such as an empty name.
    if (url.hostname !== host) refuse('must have a valid host');
  }
  if (url.href.length > DESTINATION_URL_MAX_LENGTH) tooLong();
  return url;
}

/** Returns no addresses if the name doesn't resolve in time. */
async function boundedLookup(
  resolve: DestinationUrlRules['resolve'],
  host: string,
): Promise<LookupAddress[]> {
  const late = Promise.withResolvers<LookupAddress[]>();
  const timer = setTimeout(late.resolve, LOOKUP_TIMEOUT_MS, []);
  try {
    return await Promise.race([resolve(host), late.promise]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

function tooLong(): never {
  refuse(`must be at most ${DESTINATION_URL_MAX_LENGTH} characters long`);
}

function refuse(message: string): never {
  throw new HookrelayError('invalid_input', `The destination's URL ${message}.`, {
    issues: [{ path: 'url', message }],
  });
}
