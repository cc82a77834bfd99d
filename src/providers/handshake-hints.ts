/**
 * What a person who sets up a source should know about the provider's URL check. By provider name.
 * Every provider with a handshake has a hint.
 */
export const HANDSHAKE_HINTS: Readonly<Record<string, string>> = {
  'adobe-sign':
    'Adobe Acrobat Sign checks your URL when you save the webhook, and with each event; hookrelay answers by itself.',
  asana:
    'Asana brings the secret with its first request, and hookrelay keeps it: leave the secrets empty, save, then create the webhook.',
  'aws-sns':
    'Amazon SNS asks to confirm the subscription; hookrelay confirms it once its TopicArn is here.',
  'azure-event-grid':
    'Azure Event Grid checks your URL when you create the subscription; hookrelay answers by itself.',
  cloudevents: 'A CloudEvents sender asks whether it may send; hookrelay answers by itself.',
  discord:
    'Discord checks your URL when you save it, by right and by wrong signatures; hookrelay answers both once the public key is here.',
  dropbox: 'Dropbox checks your URL when you add it; hookrelay answers by itself.',
  ebay: 'eBay checks your URL when you save it; hookrelay answers once the verification token is here. Set the registered URL as it stands at eBay.',
  linkedin:
    'LinkedIn checks your URL when you add it, and every two hours; hookrelay answers by itself once the secret is here.',
  mandrill: 'Mandrill checks that your URL is there when you add it; hookrelay answers by itself.',
  meta: 'Meta checks your URL when you subscribe; hookrelay answers by itself. Any verify token will do.',
  'microsoft-graph':
    'Microsoft Graph checks your URL when you create the subscription; hookrelay answers by itself.',
  monday: 'monday.com checks your URL when you add it; hookrelay answers by itself.',
  notion:
    'Notion brings the secret with its first request, and hookrelay keeps it: leave the secrets empty, save, then create the subscription. Paste the token of that event at Notion.',
  nylas: 'Nylas checks your URL when you create the webhook; hookrelay answers by itself.',
  okta: 'Okta checks your URL when you verify the event hook; hookrelay answers by itself.',
  onfleet: 'Onfleet checks your URL when you create the webhook; hookrelay answers by itself.',
  slack: 'Slack checks your URL when you save it; hookrelay answers by itself.',
  smartsheet:
    'Smartsheet checks your URL when you enable the webhook, and once in 100 callbacks; hookrelay answers by itself.',
  trello:
    'Trello checks that your URL is there when you create the webhook; hookrelay answers by itself.',
  twitch:
    'Twitch checks your URL when you subscribe, and signs the check; hookrelay answers by itself once the secret is here.',
  woocommerce: 'WooCommerce pings your URL when you save the webhook; hookrelay answers by itself.',
  worldline: 'Worldline checks your URL when you add it; hookrelay answers by itself.',
  x: 'X asks your URL every hour; hookrelay answers by itself once the secret is here.',
  xero: 'Xero checks your URL by right and by wrong signatures; hookrelay answers both once the key is here. Set the answer to senders to 200 without a body: Xero wants none.',
  zoom: 'Zoom checks your URL when you save it, and every three days; hookrelay answers by itself once the secret is here.',
};
