import { entryOf } from '../core/entry-of.ts';
import { describeAlerts } from './alertmanager/describe.ts';
import { describeSns } from './aws-sns/describe.ts';
import { describeBitbucket } from './bitbucket/describe.ts';
import { describeCalendly } from './calendly/describe.ts';
import { describeClerk } from './clerk/describe.ts';
import type { Describe } from './describing/describe.ts';
import { describeDiscord } from './discord/describe.ts';
import { describeGithub } from './github/describe.ts';
import { describeGitlab } from './gitlab/describe.ts';
import { describeHubspot } from './hubspot/describe.ts';
import { describeIntercom } from './intercom/describe.ts';
import { describeJira } from './jira/describe.ts';
import { describeLinear } from './linear/describe.ts';
import { describeMailgun } from './mailgun/describe.ts';
import { describeMeta } from './meta/describe.ts';
import { describePaddle } from './paddle/describe.ts';
import { describePagerduty } from './pagerduty/describe.ts';
import { describePaypal } from './paypal/describe.ts';
import { describePostmark } from './postmark/describe.ts';
import { describeSendgrid } from './sendgrid/describe.ts';
import { describeSentry } from './sentry/describe.ts';
import { describeShopify } from './shopify/describe.ts';
import { describeSlack } from './slack/describe.ts';
import { describeSquare } from './square/describe.ts';
import { describeStripe } from './stripe/describe.ts';
import { describeTelegram } from './telegram/describe.ts';
import { describeTwilio } from './twilio/describe.ts';
import { describeTypeform } from './typeform/describe.ts';
import { describeVercel } from './vercel/describe.ts';
import { describeWoocommerce } from './woocommerce/describe.ts';
import { describeZoom } from './zoom/describe.ts';

/**
 * The describers, by provider name. Gitea and Gogs send the same events as GitHub, and Grafana the same as
 * Alertmanager.
 */
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
  gogs: describeGithub,
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

/**
 * Returns a provider's describer. Returns null if there is none; `envelope.ts` then explains
 * events.
 */
export function describerOf(provider: string | null): Describe | null {
  return entryOf(DESCRIBERS, provider);
}
