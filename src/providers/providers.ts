import { adobeSign } from './adobe-sign/provider.ts';
import { adyen } from './adyen/adyen.ts';
import { adyenPlatform } from './adyen-platform/provider.ts';
import { aftership } from './aftership/provider.ts';
import { airship } from './airship/provider.ts';
import { airwallex } from './airwallex/provider.ts';
import { alertmanager } from './alertmanager/alertmanager.ts';
import { asana } from './asana/asana.ts';
import { authorizeNet } from './authorize-net/provider.ts';
import { awsSns } from './aws-sns/aws-sns.ts';
import { azureEventGrid } from './azure-event-grid/provider.ts';
import { bitbucket } from './bitbucket/bitbucket.ts';
import { box } from './box/provider.ts';
import { brex } from './brex/provider.ts';
import { buildkite } from './buildkite/provider.ts';
import { calCom } from './cal-com/provider.ts';
import { calendly } from './calendly/calendly.ts';
import { chargebee } from './chargebee/provider.ts';
import { chargify } from './chargify/provider.ts';
import { checkoutCom } from './checkout-com/provider.ts';
import { circleci } from './circleci/provider.ts';
import { clerk } from './clerk/clerk.ts';
import { clickup } from './clickup/provider.ts';
import { cloudevents } from './cloudevents/provider.ts';
import { cloudflareStream } from './cloudflare-stream/provider.ts';
import { coinbaseCommerce } from './coinbase-commerce/provider.ts';
import { contentful } from './contentful/contentful.ts';
import { customerIo } from './customer-io/provider.ts';
import { discord } from './discord/discord.ts';
import { dockerhub } from './dockerhub/provider.ts';
import { docusign } from './docusign/provider.ts';
import { dropbox } from './dropbox/dropbox.ts';
import { dub } from './dub/provider.ts';
import { dwolla } from './dwolla/provider.ts';
import { ebay } from './ebay/ebay.ts';
import { elevenlabs } from './elevenlabs/provider.ts';
import { etsy } from './etsy/provider.ts';
import { expo } from './expo/provider.ts';
import { fastspring } from './fastspring/provider.ts';
import { figma } from './figma/figma.ts';
import { front } from './front/provider.ts';
import { gitea } from './gitea/provider.ts';
import { github } from './github/github.ts';
import { gitlab } from './gitlab/gitlab.ts';
import { gocardless } from './gocardless/provider.ts';
import { grafana } from './grafana/provider.ts';
import { heroku } from './heroku/provider.ts';
import { hubspot } from './hubspot/hubspot.ts';
import { incidentIo } from './incident-io/provider.ts';
import { intercom } from './intercom/intercom.ts';
import { jira } from './jira/jira.ts';
import { klaviyo } from './klaviyo/provider.ts';
import { launchdarkly } from './launchdarkly/provider.ts';
import { lemonSqueezy } from './lemon-squeezy/provider.ts';
import { line } from './line/provider.ts';
import { linear } from './linear/linear.ts';
import { linkedin } from './linkedin/linkedin.ts';
import { lob } from './lob/provider.ts';
import { mailgun } from './mailgun/mailgun.ts';
import { mandrill } from './mandrill/mandrill.ts';
import { mercadoPago } from './mercado-pago/mercado-pago.ts';
import { meta } from './meta/meta.ts';
import { microsoftGraph } from './microsoft-graph/microsoft-graph.ts';
import { microsoftTeams } from './microsoft-teams/provider.ts';
import { modernTreasury } from './modern-treasury/provider.ts';
import { mollie } from './mollie/provider.ts';
import { monday } from './monday/provider.ts';
import { mux } from './mux/provider.ts';
import { netlify } from './netlify/netlify.ts';
import { notion } from './notion/notion.ts';
import { npm } from './npm/provider.ts';
import { nylas } from './nylas/provider.ts';
import { okta } from './okta/okta.ts';
import { onfleet } from './onfleet/provider.ts';
import { openai } from './openai/provider.ts';
import { paddle } from './paddle/paddle.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import { paypal } from './paypal/paypal.ts';
import { paystack } from './paystack/provider.ts';
import { plaid } from './plaid/provider.ts';
import { polar } from './polar/provider.ts';
import { postmark } from './postmark/postmark.ts';
import type { Provider } from './provider.ts';
import { pusher } from './pusher/provider.ts';
import { quickbooks } from './quickbooks/provider.ts';
import { razorpay } from './razorpay/provider.ts';
import { recurly } from './recurly/provider.ts';
import { render } from './render/provider.ts';
import { replicate } from './replicate/provider.ts';
import { resend } from './resend/provider.ts';
import { revenuecat } from './revenuecat/provider.ts';
import { sanity } from './sanity/provider.ts';
import { segment } from './segment/provider.ts';
import { sendgrid } from './sendgrid/sendgrid.ts';
import { sentry } from './sentry/sentry.ts';
import { shippo } from './shippo/provider.ts';
import { shopify } from './shopify/shopify.ts';
import { slack } from './slack/slack.ts';
import { smartsheet } from './smartsheet/provider.ts';
import { square } from './square/square.ts';
import { squarespace } from './squarespace/provider.ts';
import { standardWebhooks } from './standard-webhooks/standard-webhooks.ts';
import { stripe } from './stripe/stripe.ts';
import { stytch } from './stytch/provider.ts';
import { supabase } from './supabase/provider.ts';
import { svix } from './svix/provider.ts';
import { tally } from './tally/provider.ts';
import { telegram } from './telegram/telegram.ts';
import { telnyx } from './telnyx/provider.ts';
import { tiktok } from './tiktok/provider.ts';
import { trello } from './trello/provider.ts';
import { twilio } from './twilio/twilio.ts';
import { twitch } from './twitch/twitch.ts';
import { typeform } from './typeform/typeform.ts';
import { vanta } from './vanta/provider.ts';
import { vercel } from './vercel/vercel.ts';
import { webflow } from './webflow/provider.ts';
import { woocommerce } from './woocommerce/woocommerce.ts';
import { workos } from './workos/provider.ts';
import { worldline } from './worldline/provider.ts';
import { x } from './x/x.ts';
import { xero } from './xero/xero.ts';
import { zendesk } from './zendesk/provider.ts';
import { zoom } from './zoom/zoom.ts';

/**
 * Every provider that hookrelay knows. The first match counts for bodies, delivery
 * ids, handshakes and rejections.
 */
export const PROVIDERS: readonly Provider[] = [
  microsoftGraph,
  stripe,
  clerk,
  github,
  gitlab,
  gitea,
  twilio,
  slack,
  shopify,
  woocommerce,
  standardWebhooks,
  svix,
  sendgrid,
  mailgun,
  postmark,
  resend,
  telegram,
  meta,
  discord,
  linear,
  bitbucket,
  jira,
  trello,
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
  chargebee,
  revenuecat,
  plaid,
  grafana,
  alertmanager,
  awsSns,
  azureEventGrid,
  dockerhub,
  circleci,
  netlify,
  vercel,
  contentful,
  twitch,
  dropbox,
  adyen,
  adyenPlatform,
  box,
  calCom,
  coinbaseCommerce,
  docusign,
  figma,
  launchdarkly,
  lemonSqueezy,
  lob,
  mandrill,
  mercadoPago,
  microsoftTeams,
  modernTreasury,
  mollie,
  mux,
  notion,
  npm,
  nylas,
  okta,
  onfleet,
  paystack,
  pusher,
  quickbooks,
  razorpay,
  recurly,
  sanity,
  segment,
  shippo,
  squarespace,
  tally,
  tiktok,
  webflow,
  x,
  xero,
  zendesk,
  airship,
  airwallex,
  aftership,
  authorizeNet,
  brex,
  buildkite,
  chargify,
  checkoutCom,
  clickup,
  cloudflareStream,
  customerIo,
  dub,
  dwolla,
  ebay,
  elevenlabs,
  etsy,
  expo,
  fastspring,
  front,
  gocardless,
  heroku,
  incidentIo,
  klaviyo,
  line,
  openai,
  polar,
  render,
  replicate,
  stytch,
  supabase,
  telnyx,
  vanta,
  workos,
  smartsheet,
  adobeSign,
  worldline,
  monday,
  linkedin,
  cloudevents,
];

const BY_NAME = new Map(PROVIDERS.map((provider) => [provider.name, provider]));

/** A provider by its name; null for an unknown one. */
export function providerOf(name: string | null): Provider | null {
  return (name !== null && BY_NAME.get(name)) || null;
}
