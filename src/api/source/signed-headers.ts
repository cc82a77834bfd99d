import * as v from 'valibot';
import { signedUrls } from '../../capture/signed-urls.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { Endpoint, EventSummary } from '../../core/model.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import { resign } from '../../providers/resign.ts';
import type { EventContent } from '../../store/contract/events.ts';
import type { SignedHeaders } from '../api-types.ts';

const MOST_URL_CHARACTERS = 8192;
const URL_RULE = 'must be an http or https URL';

export const signedHeadersInputSchema = strictObject({
  url: v.optional(
    v.pipe(
      v.string(URL_RULE),
      v.maxLength(MOST_URL_CHARACTERS, `must be at most ${MOST_URL_CHARACTERS} characters`),
      v.check((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), URL_RULE),
      v.metadata({
        description:
          'Where the event is sent, with path and query, for signatures that cover it; the capture URL by default.',
        format: 'uri',
        maxLength: MOST_URL_CHARACTERS,
      }),
    ),
  ),
});

export const signedHeadersSchema = v.object({
  provider: v.string(),
  headers: v.pipe(
    v.record(v.string(), v.string()),
    v.description('They replace headers of the event with these names.'),
  ),
});

export interface SignedHeadersOptions {
  keys: Keys;
  /** Origin of capture URLs. */
  baseUrl(): string;
  /** The URL that the event is sent to; null for the one that its provider knows. */
  url: string | null;
  now: number;
}

/** Signs an event as its provider does. Throws `not_verified` for an event that isn't verified. */
export function signedHeaders(
  { id, source, publicToken }: Pick<Endpoint, 'id' | 'source' | 'publicToken'>,
  event: EventSummary,
  { query, rawHeaders, body }: EventContent,
  { keys, baseUrl, url, now }: SignedHeadersOptions,
): SignedHeaders {
  const { method, path, verification } = event;
  const [known = baseUrl()] = signedUrls(
    { publicToken, path, query, rawHeaders },
    source?.url ?? null,
    { baseUrl, ownsHost: () => false },
  );
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
