import type { HeaderPair } from '../../core/model.ts';
import type { Provider } from '../provider.ts';
import { signedBy } from '../signing/signed-by.ts';
import { standardScheme } from '../signing/standard-proof.ts';
import { standardSigned } from '../signing/standard-signed.ts';

const SUPABASE = standardSigned("the hook's secret");
const POLAR = signedBy(standardScheme('webhook', 'text'), "the endpoint's secret");

/** Removes the version that Supabase's dashboard shows before a secret: `v1,whsec_…`. */
function withoutVersion(secret: string): string {
  return secret.replace(/^v1,(?=whsec_)/, '');
}

/** Providers that sign as Standard Webhooks says, many of them through Svix. */
export const SIGNS_AS_STANDARD: readonly Provider[] = [
  // https://docs.svix.com/receiving/verifying-payloads/how-manual
  {
    ...standardSigned("the endpoint's signing secret", 'svix'),
    name: 'svix',
    title: 'Svix',
    sender: 'A service that sends through Svix',
    isEnvelope: true,
    marks: [{ header: 'svix-id', rank: 2 }],
    deliveryIdHeader: 'svix-id',
    once: { by: [['header.svix-id'], ['header.webhook-id']] },
  },
  // https://developer.brex.com/docs/webhooks
  {
    name: 'brex',
    title: 'Brex',
    ...standardSigned("the webhook's secret"),
  },
  // https://developers.etsy.com/documentation/essentials/webhooks
  {
    name: 'etsy',
    title: 'Etsy',
    ...standardSigned("the endpoint's signing secret"),
  },
  // https://docs.incident.io/integrations/webhooks
  {
    name: 'incident-io',
    title: 'incident.io',
    ...standardSigned("the endpoint's signing secret"),
  },
  // https://platform.openai.com/docs/guides/webhooks
  {
    name: 'openai',
    title: 'OpenAI',
    shapes: [
      (o) =>
        o('object') === 'event' && typeof o('created_at') === 'number' ? o('type') : undefined,
    ],
    ...standardSigned("the webhook's signing secret"),
  },
  // https://polar.sh/docs/integrate/webhooks/delivery
  // The key is the text of the secret. It isn't decoded.
  {
    name: 'polar',
    title: 'Polar',
    typePaths: [['type']],
    proof: POLAR.proof,
    once: { by: [['header.webhook-id']] },
    signature: {
      header: POLAR.signature.header,
      signer: {
        ...POLAR.signature.signer,
        sign(request, secret) {
          const id: HeaderPair = ['webhook-id', request.deliveryId];
          return [id, ...POLAR.signature.signer.sign({ ...request, headers: [id] }, secret)];
        },
      },
    },
  },
  // https://render.com/docs/webhooks
  {
    name: 'render',
    title: 'Render',
    ...standardSigned("the webhook's signing secret"),
  },
  // https://replicate.com/docs/topics/webhooks/verify-webhook
  {
    name: 'replicate',
    title: 'Replicate',
    ...standardSigned("the account's webhook signing secret"),
  },
  // https://resend.com/docs/webhooks/verify-webhooks-requests
  {
    name: 'resend',
    title: 'Resend',
    shapes: [(o) => (o('data', 'email_id') && o('created_at') ? o('type') : undefined)],
    ...standardSigned("the endpoint's signing secret", 'svix'),
  },
  // https://stytch.com/docs/guides/dashboard/webhooks
  {
    name: 'stytch',
    title: 'Stytch',
    ...standardSigned("the endpoint's signing secret", 'svix'),
  },
  // https://supabase.com/docs/guides/auth/auth-hooks
  {
    name: 'supabase',
    title: 'Supabase',
    ...SUPABASE,
    proof: {
      ...SUPABASE.proof,
      problem: (secret) => SUPABASE.proof.problem(withoutVersion(secret)),
      check: (request, secret) => SUPABASE.proof.check(request, withoutVersion(secret)),
    },
    signature: {
      ...SUPABASE.signature,
      signer: {
        ...SUPABASE.signature.signer,
        sign: (request, secret) => SUPABASE.signature.signer.sign(request, withoutVersion(secret)),
        signAll: (request, secrets) =>
          SUPABASE.signature.signer.signAll(request, secrets.map(withoutVersion)),
      },
    },
  },
  // https://developer.vanta.com/docs/webhooks
  {
    name: 'vanta',
    title: 'Vanta',
    ...standardSigned("the endpoint's signing secret", 'svix'),
  },
];
