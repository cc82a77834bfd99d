import * as v from 'valibot';
import { CUSTOM_ALGORITHMS, type CustomScheme } from '../../core/proof/source.ts';
import { durationSchema } from '../../core/settings/duration-schema.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import { CATALOGUE } from '../../providers/catalogue.ts';
import { bringsSecret } from '../../providers/handshakes.ts';
import { FORM } from '../../providers/own-sources/custom.ts';
import { PLACE } from '../../providers/own-sources/place.ts';
import { MOST_PUBLIC_KEYS } from '../../providers/public-keys.ts';
import { about } from '../about.ts';
import { isMasked, NOT_MASKED } from '../is-masked.ts';
import { oneOf } from '../one-of.ts';
import { wholeNumber } from '../whole-number.ts';
import { nearestProviders } from './nearest-providers.ts';

export const MOST_SECRETS = 10;
const MOST_SECRET_BYTES = 4096;
const MOST_URL_CHARACTERS = 2048;
const MOST_TEXT_CHARACTERS = 500;
const TOLERANCE = '5m';

/** The valid names: providers that can be verified, and `token`, `basic` and `custom`. */
const NAMES = CATALOGUE.filter(({ verifies }) => verifies).map(({ name }) => name);

const provider = about(
  v.picklist(NAMES, ({ input }) => unknownProvider(input)),
  'A provider that `GET /api/providers` lists, or token, basic or custom.',
);

const secret = v.pipe(
  v.string('must be a string'),
  v.minBytes(1, 'must not be empty'),
  v.maxBytes(MOST_SECRET_BYTES, 'must be at most 4 KB'),
  v.check((text) => !isMasked(text), 'is masked; leave secrets out to keep them'),
  v.metadata({ minLength: 1, maxLength: MOST_SECRET_BYTES, pattern: `${NOT_MASKED}[\\s\\S]` }),
);

const secrets = v.pipe(
  v.array(secret, 'must be a list of secrets'),
  v.maxLength(MOST_SECRETS, `must be at most ${MOST_SECRETS} secrets`),
  v.description(
    'They verify requests; any of them may fit. They replace the present ones. ' +
      `At most ${MOST_PUBLIC_KEYS} may be public keys. ` +
      'Answers mask them. Asana and Notion send their secret later: for them the list may be empty.',
  ),
);

const KEPT = `must be the number of a present secret, from 1 to ${MOST_SECRETS}`;

const keptSecrets = v.pipe(
  v.array(wholeNumber(MOST_SECRETS, KEPT), 'must be a list of numbers'),
  v.maxLength(MOST_SECRETS, `must be at most ${MOST_SECRETS} numbers`),
  v.check((all) => new Set(all).size === all.length, 'must name each secret once'),
  v.metadata({ uniqueItems: true }),
  v.description(
    'Numbers, from 1, of the present secrets that stay, before those of `secrets`. The others go. ' +
      'It adds or removes a secret without the others.',
  ),
);

const HEADER_PLACE = /^header\.[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

const header = (description: string) =>
  v.pipe(
    v.string('must be a string'),
    v.regex(HEADER_PLACE, 'must be header.NAME, such as header.x-signature'),
    v.description(description),
  );

const scheme = v.pipe(
  strictObject({
    signature: header('The header with the signature.'),
    form: v.pipe(
      v.string('must be a string'),
      v.maxLength(MOST_TEXT_CHARACTERS, `must be at most ${MOST_TEXT_CHARACTERS} characters`),
      v.regex(FORM, 'must end with {hex}, {base64} or {base64url}, such as sha256={hex}'),
      v.description('The value of that header: sha256={hex}.'),
    ),
    algorithm: oneOf(CUSTOM_ALGORITHMS),
    signed: v.pipe(
      v.string('must be a string'),
      v.maxLength(MOST_TEXT_CHARACTERS, `must be at most ${MOST_TEXT_CHARACTERS} characters`),
      v.rawCheck(({ dataset, addIssue }) => {
        const message = dataset.typed ? wrongParts(dataset.value) : null;
        if (message !== null) addIssue({ message });
      }),
      v.description(
        'What is signed: text with {body}, {header.NAME}, {method} and {url}, such as ' +
          '{header.x-timestamp}.{body}. {body} must be among them.',
      ),
    ),
    timestamp: v.nullish(
      header('The header with the time of signing, which must be among `signed`.'),
      null,
    ),
    tolerance: v.optional(
      durationSchema('Largest difference between that time and the receipt.', {
        leastMs: 1000,
        mostMs: 86_400_000,
        example: TOLERANCE,
      }),
      TOLERANCE,
    ),
  }),
  v.forward(
    v.check(
      ({ signed, timestamp }) =>
        timestamp === null || partsIn(signed).includes(timestamp.toLowerCase()),
      'must be among signed: a time that is not signed proves nothing',
    ),
    ['timestamp'],
  ),
  v.transform(({ tolerance, ...rest }): CustomScheme => ({ ...rest, toleranceMs: tolerance })),
);

const others = {
  enforce: about(
    v.nullish(v.boolean('must be true or false')),
    'Whether requests that fail get 401, or 503 if their key can’t be fetched. Default: false.',
  ),
  url: about(
    v.nullish(
      v.pipe(
        v.string('must be a string'),
        v.maxLength(MOST_URL_CHARACTERS, `must be at most ${MOST_URL_CHARACTERS} characters`),
        v.check(isHttpUrl, 'must be an http or https URL'),
      ),
    ),
    'The URL that is registered at the provider, for signatures that cover it. Default: the capture URL.',
  ),
  in: about(
    v.nullish(
      v.pipe(
        v.string('must be a string'),
        v.regex(PLACE, 'must be header.NAME or query.NAME, such as header.x-token'),
      ),
    ),
    'Of token: where the token is.',
  ),
  scheme: about(v.nullish(scheme), 'Of custom: how requests are signed.'),
};

/** Providers that send the secret in a handshake. */
const BRINGING = NAMES.filter(bringsSecret);
const OBJECT = { type: 'object', additionalProperties: true };
const NAMES_PROVIDER = { ...OBJECT, required: ['provider'] };
const BRINGING_SCHEMA = { ...NAMES_PROVIDER, properties: { provider: { enum: BRINGING } } };
const SECRETS_SCHEMA = { ...OBJECT, properties: { secrets: { minItems: 1 } } };

function hasSecrets(source: {
  provider?: string | undefined;
  secrets?: readonly string[] | undefined;
}): boolean {
  return source.secrets?.length !== 0 || BRINGING.some((name) => name === source.provider);
}
export const NEEDS_SECRET = `must have a secret; only ${BRINGING.join(' and ')} bring theirs later`;

export const newSourceSchema = v.pipe(
  strictObject({ provider, secrets: v.optional(secrets), ...others }),
  v.forward(
    v.check((source) => hasSecrets(source), NEEDS_SECRET),
    ['secrets'],
  ),
  v.metadata({ anyOf: [{ ...SECRETS_SCHEMA, required: ['secrets'] }, BRINGING_SCHEMA] }),
);

export const sourcePatchSchema = v.pipe(
  strictObject({
    provider: v.optional(provider),
    secrets: v.optional(secrets),
    keep_secrets: v.optional(keptSecrets),
    ...others,
  }),
  v.check((patch) => Object.keys(patch).length > 0, 'must have a member; null removes the source'),
  // If the patch names no provider, `mergedSource` checks with the present provider.
  v.forward(
    v.check((patch) => patch.provider === undefined || hasSecrets(patch), NEEDS_SECRET),
    ['secrets'],
  ),
  v.metadata({
    description:
      'Members that are left out stay. Another provider needs its secrets, unless its handshake brings them.',
    minProperties: 1,
    anyOf: [SECRETS_SCHEMA, BRINGING_SCHEMA, { not: NAMES_PROVIDER }],
  }),
);

export type SourcePatch = v.InferOutput<typeof sourcePatchSchema>;

export const sourceSchema = v.object({
  provider: v.string(),
  secrets: about(v.array(v.string()), 'Masked.'),
  enforce: v.boolean(),
  url: v.nullable(v.string()),
  in: about(v.optional(v.string()), 'Of token only.'),
  scheme: about(
    v.optional(
      v.object({
        signature: v.string(),
        form: v.string(),
        algorithm: v.picklist(CUSTOM_ALGORITHMS),
        signed: v.string(),
        timestamp: v.nullable(v.string()),
        tolerance: v.string(),
      }),
    ),
    'Of custom only.',
  ),
});

function unknownProvider(input: unknown): string {
  if (typeof input !== 'string') return 'must be the name of a provider';
  const shown = input.slice(0, 64);
  const known = CATALOGUE.find(({ name }) => name === shown);
  if (known) return `can’t be ${shown}: its requests can’t be verified`;
  const alike = nearestProviders(shown.replaceAll('"', ''), NAMES);
  const hint = alike.length > 0 ? `; the nearest: ${alike.join(', ')}` : '';
  return `is not a provider that can be verified${hint}; GET /api/providers lists all`;
}

const BRACED = /\{([^{}]*)\}/g;
const PART = /^(?:body|method|url|header\.[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100})$/;

function partsIn(signed: string): string[] {
  return [...signed.matchAll(BRACED)].map(([, part]) => (part as string).toLowerCase());
}

function wrongParts(signed: string): string | null {
  const parts = [...signed.matchAll(BRACED)].map(([, part]) => part as string);
  const unknown = parts.find((part) => !PART.test(part));
  if (unknown !== undefined)
    return 'has a part that is not {body}, {header.NAME}, {method} or {url}';
  return parts.includes('body') ? null : 'must have {body}';
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' || url?.protocol === 'https:';
}
