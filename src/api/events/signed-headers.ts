import { type OwnUrls, signedUrls } from '../../capture/judging/signed-urls.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { Endpoint, EventSummary } from '../../core/model.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { providerOf } from '../../providers/providers.ts';
import { resign } from '../../providers/resign.ts';
import type { EventContent } from '../../store/contract/events.ts';
import type { SignedHeaders } from './event-answer.ts';

export interface SignedHeadersOptions {
  keys: Keys;
  urls: OwnUrls;
  /** The URL that the event is sent to; null for the URL that its provider knows. */
  url: string | null;
  /** URLs at which the endpoint's destinations get the event. */
  deliveryUrls: readonly string[];
  now: number;
}

/**
 * Signs an event as its provider does. Throws `not_verified` for an event that isn't verified, and
 * `url_not_allowed`.
 *
 * Twilio and Mandrill sign the URL and the other parts without a separator. If the caller could
 * invent a URL, the signature could fit another request. So the URL must be one that gets the event
 * anyway. A URL of this machine is safe too, because no remote receiver has it.
 */
export function signedHeaders(
  { id, source, publicToken }: Pick<Endpoint, 'id' | 'source' | 'publicToken'>,
  event: EventSummary,
  { query, rawHeaders, body }: EventContent,
  { keys, urls, url, deliveryUrls, now }: SignedHeadersOptions,
): SignedHeaders {
  const { method, path, verification } = event;
  const captured = { publicToken, path, query, rawHeaders };
  const own = signedUrls(captured, source?.url ?? null, urls);
  const [known = ''] = own;
  if (url !== null && providerOf(source?.provider ?? null)?.proof?.coversUrl) {
    const allowed = [...own, ...signedUrls(captured, null, urls), ...deliveryUrls];
    requireAllowed(url, allowed);
  }
  const resigned = resign(
    { method, url: url ?? known, rawHeaders, body, now, eventId: event.id },
    { verification, source, open: (sealed) => keys.open(sealed, id) },
  );
  if ('refusal' in resigned) {
    throw new HookrelayError('not_verified', resigned.refusal, {
      hint: `hookrelay events get ${event.id}`,
    });
  }
  const { provider, headers } = resigned;
  return { provider, headers: Object.fromEntries(headers) };
}

/** Compares the spelling, because the signature also covers characters that a URL parser drops. */
function requireAllowed(url: string, allowed: readonly string[]): void {
  const isKnown = allowed.some((one) => one === url || URL.parse(one)?.href === url);
  if (isKnown || OF_THIS_MACHINE.test(url)) return;
  throw new HookrelayError('url_not_allowed', NOT_ALLOWED, {
    hint: 'add the URL as a destination of the endpoint, or send to localhost',
  });
}

const NOT_ALLOWED =
  'the signature covers the URL, which must be the capture URL, the registered URL, a destination’s URL or one of this machine';

/**
 * Refuses `shop.example.localhost` and user names, because the signed text would begin with
 * another host. Refuses characters that a parser drops or rewrites, because two parsers could see
 * two hosts.
 */
const OF_THIS_MACHINE =
  /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:[/?#][^\s\p{Cc}]*)?$/iu;
