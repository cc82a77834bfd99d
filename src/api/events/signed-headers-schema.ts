import * as v from 'valibot';
import { strictObject } from '../../core/settings/strict-object.ts';
import { about } from '../about.ts';

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
  headers: about(
    v.record(v.string(), v.string()),
    'They replace headers of the event with these names.',
  ),
});
