import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { HeaderPair } from '../../core/model.ts';
import { isSignature } from '../fetched-keys/check-rsa.ts';
import type { Provider } from '../provider.ts';
import { MOST_SIGNATURES } from '../public-keys.ts';
import { clockOf } from '../reasons/signed-clock.ts';
import { checkHmac, hmacText, SHA256_BASE64, SHA256_HEX } from '../signing/check-hmac.ts';
import type { Proof } from '../signing/proof.ts';
import { isSameText } from '../signing/same-text.ts';
import { TEST_SECRET, type UnsignedRequest } from '../signing/signature.ts';
import { FIVE_MINUTES, ownSignatureIn, type SignedBy, signatureIn } from '../signing/signed-by.ts';
import { headerOf, headersOf, type SignedRequest } from '../signing/signed-request.ts';
import { timeOf, withinWindow } from '../signing/verify-scheme.ts';
import { keptKey } from '../signing/verifying-key.ts';

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

const FORM_FIELD = Buffer.from('payload=');

/**
 * Returns what Gitea and Gogs sign: the JSON, also of a webhook that sends it as the only field of
 * a form.
 */
function withoutForm<Request extends { body: Buffer }>(request: Request): Request {
  const { body } = request;
  const isForm = body.subarray(0, FORM_FIELD.length).equals(FORM_FIELD) && !body.includes('&');
  if (!isForm) return request;
  const payload = new URLSearchParams(body.toString('latin1')).get('payload') ?? '';
  return { ...request, body: Buffer.from(payload) };
}

function signedAsGogs(header: string): SignedBy {
  const { proof, signature } = signatureIn(header, "the webhook's secret");
  return {
    proof: { ...proof, check: (request, secret) => proof.check(withoutForm(request), secret) },
    signature: {
      ...signature,
      signer: {
        ...signature.signer,
        sign: (request, secret) => signature.signer.sign(withoutForm(request), secret),
      },
    },
  };
}

/** Returns the RSA public key of a PEM or of a DKIM record. Returns null for any other text. */
function postalKey(text: string): KeyObject | null {
  try {
    const [, inRecord = text] = /\bp=([A-Za-z\d+/=\s]+)/.exec(text) ?? [];
    const key = text.trimStart().startsWith('-----BEGIN PUBLIC KEY')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(inRecord, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    return null;
  }
}

const POSTAL_HEADER = 'X-Postal-Signature-256';
/** Versions of Postal before 3 send this header alone. */
const OLD_POSTAL_HEADER = 'X-Postal-Signature';

/** An RSA signature (PKCS #1 v1.5) of the body, with the key of the installation. */
const postalProof: Proof = {
  grade: 'verified',
  secret: "the installation's public key",
  isPublicKey: () => true,
  problem: (secret) =>
    postalKey(secret) ? null : "must be the installation's public key, or its DKIM record",
  check(request, secret) {
    const isOld = headerOf(request, POSTAL_HEADER) === null;
    const sent = headersOf(request, isOld ? OLD_POSTAL_HEADER : POSTAL_HEADER);
    if (sent.length === 0) return 'signature_missing';
    if (sent.length > MOST_SIGNATURES || !sent.every(isSignature)) return 'signature_malformed';
    const key = keptKey(postalProof, secret, () => postalKey(secret));
    if (key === null) return 'secret_unreadable';
    const fits = sent.some((one) => {
      request.work?.signature(request.body.length);
      return verify(isOld ? 'sha1' : 'sha256', request.body, key, Buffer.from(one, 'base64'));
    });
    return fits ? null : 'signature_mismatch';
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
  // https://docs.gitea.com/usage/webhooks
  // https://github.com/go-gitea/gitea/blob/main/services/webhook/deliver.go
  // Gitea also sends the headers of Gogs and GitHub.
  {
    name: 'gitea',
    title: 'Gitea',
    marks: [{ header: 'x-gitea-event', isType: true, rank: 5 }],
    deliveryIdHeader: 'x-gitea-delivery',
    once: { by: [['header.x-gitea-delivery']] },
    ...signedAsGogs('X-Gitea-Signature'),
  },
  // https://github.com/gogs/gogs/blob/main/internal/database/webhook.go
  // Gogs also sends the headers of GitHub.
  {
    name: 'gogs',
    title: 'Gogs',
    marks: [{ header: 'x-gogs-event', isType: true, rank: 4 }],
    deliveryIdHeader: 'x-gogs-delivery',
    once: { by: [['header.x-gogs-delivery']] },
    ...signedAsGogs('X-Gogs-Signature'),
  },
  // https://docs.postalserver.io/developer/webhooks
  // https://github.com/postalserver/postal/blob/main/lib/postal/http.rb
  {
    name: 'postal',
    title: 'Postal',
    marks: [
      { header: 'x-postal-signature', rank: 3 },
      { header: 'x-postal-signature-256', rank: 3 },
    ],
    shapes: [(o) => (o('uuid') && o('payload') && o('timestamp') ? o('event') : undefined)],
    typePaths: [['event']],
    once: { by: [['body.uuid']] },
    proof: postalProof,
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
