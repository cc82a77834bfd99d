import type { ProviderName } from './sample.ts';
import { githubSigner } from './sign-github.ts';
import { gitlabSigner } from './sign-gitlab.ts';
import { sendgridSigner } from './sign-sendgrid.ts';
import { shopifySigner } from './sign-shopify.ts';
import { slackSigner } from './sign-slack.ts';
import { standardSigner } from './sign-standard.ts';
import { stripeSigner } from './sign-stripe.ts';
import { twilioSigner } from './sign-twilio.ts';
import type { Signer } from './signer.ts';

/** Each provider's way to sign. */
export const SIGNERS: Readonly<Record<ProviderName, Signer>> = {
  github: githubSigner,
  stripe: stripeSigner,
  shopify: shopifySigner,
  slack: slackSigner,
  gitlab: gitlabSigner,
  twilio: twilioSigner,
  sendgrid: sendgridSigner,
  standard: standardSigner,
};
