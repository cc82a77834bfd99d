import { entryOf } from '../../core/entry-of.ts';
import { describeBitbucket, describeGitlab } from './code-hosts.ts';
import { describeShopify, describeWoocommerce } from './commerce.ts';
import type { Describe } from './describe.ts';
import { describeEnvelope } from './envelope.ts';
import { describeGithub } from './github.ts';
import { describeMailgun, describePostmark, describeSendgrid } from './mail.ts';
import {
  describeDiscord,
  describeHubspot,
  describeIntercom,
  describeMeta,
  describeSlack,
  describeTelegram,
  describeTwilio,
  describeZoom,
} from './messaging.ts';
import { describePaddle, describePaypal, describeSquare, describeStripe } from './payments.ts';
import {
  describeAlerts,
  describeCalendly,
  describeClerk,
  describeJira,
  describeLinear,
  describePagerduty,
  describeSentry,
  describeSns,
  describeTypeform,
  describeVercel,
} from './work-tools.ts';

/** By the providers' names in `core/providers.ts`. Who isn't here is told about by envelope. */
const DESCRIBERS: Record<string, Describe> = {
  alertmanager: describeAlerts,
  'aws-sns': describeSns,
  bitbucket: describeBitbucket,
  calendly: describeCalendly,
  clerk: describeClerk,
  discord: describeDiscord,
  gitea: describeGithub,
  github: describeGithub,
  gitlab: describeGitlab,
  grafana: describeAlerts,
  hubspot: describeHubspot,
  intercom: describeIntercom,
  jira: describeJira,
  linear: describeLinear,
  mailgun: describeMailgun,
  meta: describeMeta,
  paddle: describePaddle,
  pagerduty: describePagerduty,
  paypal: describePaypal,
  postmark: describePostmark,
  sendgrid: describeSendgrid,
  sentry: describeSentry,
  shopify: describeShopify,
  slack: describeSlack,
  square: describeSquare,
  stripe: describeStripe,
  telegram: describeTelegram,
  twilio: describeTwilio,
  typeform: describeTypeform,
  vercel: describeVercel,
  woocommerce: describeWoocommerce,
  zoom: describeZoom,
};

export function describerOf(provider: string | null): Describe {
  return entryOf(DESCRIBERS, provider) ?? describeEnvelope;
}
