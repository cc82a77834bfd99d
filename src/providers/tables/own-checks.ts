import { gunzipSync } from 'node:zlib';
import type { HeaderPair } from '../../core/model.ts';
import type { Provider } from '../provider.ts';
import { clockOf } from '../reasons/signed-clock.ts';
import { checkHmac, hmacText, SHA256_BASE64, SHA256_HEX } from '../signing/check-hmac.ts';
import type { Proof } from '../signing/proof.ts';
import { isSameText } from '../signing/same-text.ts';
import { TEST_SECRET, type UnsignedRequest } from '../signing/signature.ts';
import { FIVE_MINUTES, ownSignatureIn, signatureIn } from '../signing/signed-by.ts';
import { headerOf, headersOf, type SignedRequest } from '../signing/signed-request.ts';
import { timeOf, withinWindow } from '../signing/verify-scheme.ts';

const AIRSHIP = ownSignatureIn('X-UA-Signature', "the webhook's signature secret", {
  signed: ['time', { text: ':' }, 'body'],
  time: { place: { header: 'X-UA-Timestamp' }, unit: 's', ...FIVE_MINUTES },
});
/** The largest size of a decompressed body, bytes. */
const MOST_UNFOLDED_BYTES = 1_048_576;

function unfolded(request: SignedRequest): SignedRequest {
  if (headerOf(request, 'content-encoding')?.trim().toLowerCase() !== 'gzip') return request;
  try {
    return { ...request, body: gunzipSync(request.body, { maxOutputLength: MOST_UNFOLDED_BYTES }) };
  } catch {
    return request;
  }
}

const BUILDKITE = signatureIn('X-Buildkite-Signature', "the webhook's token", {
  form: { separator: ',', field: 'signature' },
  signed: ['time', { text: '.' }, 'body'],
  time: { place: { field: 'timestamp' }, unit: 's', ...FIVE_MINUTES },
});

/**
 * Buildkite signs with the webhook's token, or sends the token itself. A person chooses this at
 * Buildkite.
 */
const buildkiteProof: Proof = {
  ...BUILDKITE.proof,
  gradeOf: (request) => (isSigned(request) ? 'verified' : 'authenticated'),
  check(request, secret) {
    const tokens = headersOf(request, 'X-Buildkite-Token');
    if (isSigned(request) || tokens.length === 0) return BUILDKITE.proof.check(request, secret);
    return tokens.some((token) => isSameText(token, secret)) ? null : 'signature_mismatch';
  },
};

function isSigned(request: SignedRequest): boolean {
  return headerOf(request, BUILDKITE.signature.header) !== null;
}

const DOCUSIGN = ownSignatureIn(
  'X-DocuSign-Signature-1',
  'one of the HMAC keys of DocuSign Connect',
  { encoding: 'base64' },
);
/** The names of the signature headers. Each key of the account has one, for at most 100 keys. */
const DOCUSIGN_HEADER = /^x-docusign-signature-(?:[1-9]\d?|100)$/i;
const MOST_DOCUSIGN_SIGNATURES = 100;

const docusignProof: Proof = {
  ...DOCUSIGN.proof,
  check({ rawHeaders, body }, secret) {
    const sent: string[] = [];
    for (let i = 0; i < rawHeaders.length && sent.length < MOST_DOCUSIGN_SIGNATURES; i += 2) {
      if (DOCUSIGN_HEADER.test(rawHeaders[i] as string)) sent.push(rawHeaders[i + 1] as string);
    }
    return sent.length === 0 ? 'signature_missing' : checkHmac(SHA256_BASE64, secret, [body], sent);
  },
};

const RECURLY_HEADER = 'recurly-signature';
const RECURLY_TIME = { unit: 'ms', ...FIVE_MINUTES } as const;
/** Recurly sends two signatures while a key rotates. */
const MOST_RECURLY_SIGNATURES = 20;

/**
 * The header is `<milliseconds>,<signature>,<signature>`, with one signature for each key. The
 * signatures cover `<milliseconds>.<body>`.
 */
const recurlyProof: Proof = {
  grade: 'verified',
  secret: "the webhook endpoint's secret key",
  problem: () => null,
  clock: (request) =>
    clockOf(
      RECURLY_TIME,
      headerOf(request, RECURLY_HEADER)?.split(',', 1)[0]?.trim() ?? null,
      request,
    ),
  check(request, secret) {
    const [sent, ...others] = headersOf(request, RECURLY_HEADER);
    if (sent === undefined) return 'signature_missing';
    // Each header has a time of signing, so two headers would be ambiguous.
    if (others.length > 0) return 'signature_malformed';
    const [time = '', ...signatures] = sent
      .split(',', MOST_RECURLY_SIGNATURES)
      .map((one) => one.trim());
    if (timeOf(RECURLY_TIME, time) === null) return 'signature_malformed';
    const outcome = checkHmac(SHA256_HEX, secret, [`${time}.`, request.body], signatures);
    return outcome ?? withinWindow(RECURLY_TIME, time, request.receivedAt);
  },
};

function signAsRecurly(
  { body, timestampS }: UnsignedRequest,
  secrets: readonly string[],
): HeaderPair[] {
  const time = String(timestampS * 1000);
  const signatures = secrets.map((secret) => hmacText(SHA256_HEX, secret, [`${time}.`, body]));
  return [[RECURLY_HEADER, [time, ...signatures].join(',')]];
}

/** Providers whose requests need more than the check of a scheme. */
export const OWN_CHECKS: readonly Provider[] = [
  // https://support.airship.com/hc/en-us/articles/360032501831
  // Airship signs the JSON before it compresses the body.
  {
    name: 'airship',
    title: 'Airship',
    ...AIRSHIP,
    proof: {
      ...AIRSHIP.proof,
      check: (request, secret) => AIRSHIP.proof.check(unfolded(request), secret),
    },
  },
  // https://buildkite.com/docs/apis/webhooks/pipelines#webhook-signature
  {
    name: 'buildkite',
    title: 'Buildkite',
    marks: [{ header: 'x-buildkite-event', isType: true, rank: 3 }],
    ...BUILDKITE,
    proof: buildkiteProof,
  },
  // https://developers.docusign.com/platform/webhooks/connect/validate/
  {
    name: 'docusign',
    title: 'DocuSign',
    typePaths: [['event']],
    ...DOCUSIGN,
    proof: docusignProof,
  },
  // https://docs.recurly.com/recurly-subscriptions/docs/signature-verification
  // Recurly signs only JSON webhooks.
  {
    name: 'recurly',
    title: 'Recurly',
    marks: [{ header: RECURLY_HEADER, rank: 3 }],
    proof: recurlyProof,
    signature: {
      header: RECURLY_HEADER,
      signer: {
        testSecret: TEST_SECRET,
        sign: (request, secret) => signAsRecurly(request, [secret]),
        signAll: signAsRecurly,
      },
    },
  },
];
