import { entryOf } from '../../core/entry-of.ts';
import { describeBitbucket } from './bitbucket.ts';
import { describeShopify, describeWoocommerce } from './commerce.ts';
import type { Describe } from './describe.ts';
import { describeGithub } from './github.ts';
import { describeGitlab } from './gitlab.ts';
import { describeLinear } from './linear.ts';
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
  describePagerduty,
  describeSentry,
  describeSns,
  describeTypeform,
  describeVercel,
} from './work-tools.ts';

/** By the providers' names in `core/providers.ts`. */
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

/** Null where only the envelope can be told: `envelope.ts`. */
export function describerOf(provider: string | null): Describe | null {
  return entryOf(DESCRIBERS, provider);
}
