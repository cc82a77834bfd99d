import { adyen } from './adyen/adyen.ts';
import { alertmanager } from './alertmanager/alertmanager.ts';
import { asana } from './asana/asana.ts';
import { awsSns } from './aws-sns/aws-sns.ts';
import { bitbucket } from './bitbucket/bitbucket.ts';
import { calendly } from './calendly/calendly.ts';
import { clerk } from './clerk/clerk.ts';
import { contentful } from './contentful/contentful.ts';
import { discord } from './discord/discord.ts';
import { dropbox } from './dropbox/dropbox.ts';
import { ebay } from './ebay/ebay.ts';
import { figma } from './figma/figma.ts';
import { gitee } from './gitee/gitee.ts';
import { github } from './github/github.ts';
import { gitlab } from './gitlab/gitlab.ts';
import { hubspot } from './hubspot/hubspot.ts';
import { intercom } from './intercom/intercom.ts';
import { jira } from './jira/jira.ts';
import { linear } from './linear/linear.ts';
import { linkedin } from './linkedin/linkedin.ts';
import { mailgun } from './mailgun/mailgun.ts';
import { mandrill } from './mandrill/mandrill.ts';
import { mercadoPago } from './mercado-pago/mercado-pago.ts';
import { meta } from './meta/meta.ts';
import { microsoftGraph } from './microsoft-graph/microsoft-graph.ts';
import { netlify } from './netlify/netlify.ts';
import { notion } from './notion/notion.ts';
import { okta } from './okta/okta.ts';
import { paddle } from './paddle/paddle.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import { paypal } from './paypal/paypal.ts';
import { postmark } from './postmark/postmark.ts';
import type { Provider } from './provider.ts';
import { sendgrid } from './sendgrid/sendgrid.ts';
import { sentry } from './sentry/sentry.ts';
import { shopify } from './shopify/shopify.ts';
import { slack } from './slack/slack.ts';
import { square } from './square/square.ts';
import { standardWebhooks } from './standard-webhooks/standard-webhooks.ts';
import { stripe } from './stripe/stripe.ts';
import { OWN_CHECKS } from './tables/own-checks.ts';
import { SIGNS_AS_STANDARD } from './tables/signs-as-standard.ts';
import { SIGNS_BODY } from './tables/signs-body.ts';
import { SIGNS_TIME } from './tables/signs-time.ts';
import { UNSIGNED } from './tables/unsigned.ts';
import { URL_CHECKS } from './tables/url-checks.ts';
import { telegram } from './telegram/telegram.ts';
import { twilio } from './twilio/twilio.ts';
import { twitch } from './twitch/twitch.ts';
import { typeform } from './typeform/typeform.ts';
import { vercel } from './vercel/vercel.ts';
import { woocommerce } from './woocommerce/woocommerce.ts';
import { x } from './x/x.ts';
import { xero } from './xero/xero.ts';
import { zoom } from './zoom/zoom.ts';
/**
 * Every provider that hookrelay knows. If several match a body, a delivery id, a handshake or a
 * rejection, the first counts.
 */
export const PROVIDERS: readonly Provider[] = [
  microsoftGraph,
  stripe,
  clerk,
  github,
  gitlab,
  twilio,
  slack,
  shopify,
  woocommerce,
  standardWebhooks,
  ...SIGNS_AS_STANDARD,
  sendgrid,
  mailgun,
  postmark,
  telegram,
  meta,
  discord,
  linear,
  bitbucket,
  jira,
  asana,
  pagerduty,
  sentry,
  square,
  paddle,
  paypal,
  hubspot,
  intercom,
  zoom,
  calendly,
  typeform,
  ...UNSIGNED,
  alertmanager,
  awsSns,
  netlify,
  vercel,
  contentful,
  twitch,
  dropbox,
  adyen,
  figma,
  gitee,
  mandrill,
  mercadoPago,
  notion,
  okta,
  x,
  xero,
  ebay,
  linkedin,
  ...SIGNS_BODY,
  ...SIGNS_TIME,
  ...OWN_CHECKS,
  ...URL_CHECKS,
];

const BY_NAME = new Map(PROVIDERS.map((provider) => [provider.name, provider]));

/** Returns the provider with that name. Returns null for an unknown name. */
export function providerOf(name: string | null): Provider | null {
  return (name !== null && BY_NAME.get(name)) || null;
}
