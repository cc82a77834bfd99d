import * as v from 'valibot';

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z\\-]+";
const QUOTED = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\t\\x20-\\x7e])*"';
const PARAMETER = `${TOKEN}=(?:${TOKEN}|${QUOTED})`;
const MEDIA_TYPE = new RegExp(`^${TOKEN}\\/${TOKEN}(?:[\\t ]*;[\\t ]*(?:${PARAMETER})?)*$`);

/** A media type with its parameters, for a `content-type` (RFC 9110, section 8.3.1). */
export const mediaTypeSchema = v.pipe(
  v.string('must be a string'),
  v.maxLength(200, 'must be at most 200 characters'),
  v.regex(MEDIA_TYPE, 'must be a media type, such as text/plain; charset=utf-8'),
);
