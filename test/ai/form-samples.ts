import { findSample } from '../../src/providers/find-sample.ts';
import type { Json, Sample, SampleContent } from '../../src/providers/sampling/sample.ts';
import { slack } from '../../src/providers/slack/slack.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A sample as a sender that puts its JSON into the form field `payload` sends it. */
function inForm(sample: Sample): Sample {
  return {
    ...sample,
    format: 'form',
    build(fresh) {
      const { payload, headers, ...rest }: SampleContent = sample.build(fresh);
      const others = headers.filter(([name]) => !/^content-type$/i.test(name));
      return {
        ...rest,
        payload: { payload: JSON.stringify(payload) },
        headers: [...others, ['Content-Type', FORM_TYPE]],
      };
    },
  };
}

/** GitHub's other content type, a choice in the settings of each webhook. */
export const githubForm = inForm(findSample('github.push'));

/** https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export const slackInteraction = inForm({
  name: 'slack.block_actions',
  provider: 'slack',
  signature: slack.signature,
  description: 'somebody pressed a button',
  format: 'json',
  source: 'https://docs.slack.dev/reference/interaction-payloads/block_actions-payload',
  build: (fresh): SampleContent => ({
    payload: blockActions(),
    headers: [['User-Agent', 'Slackbot 1.0 (+https://api.slack.com/robots)']],
    deliveryId: fresh.uuid(),
  }),
});

function blockActions(): Json {
  return {
    type: 'block_actions',
    user: { id: 'U0ADA00001', username: 'ada', name: 'ada', team_id: 'T0SHOP0001' },
    api_app_id: 'A0APP00001',
    token: 'not-a-secret-anymore',
    container: { type: 'message', message_ts: '1763715600.000100', channel_id: 'C0OPS00001' },
    trigger_id: '13345224609.738474920.8088930838d88f008e0',
    team: { id: 'T0SHOP0001', domain: 'example-shop' },
    channel: { id: 'C0OPS00001', name: 'warehouse' },
    response_url: 'https://hooks.slack.com/actions/T0SHOP0001/1/x',
    actions: [
      {
        type: 'button',
        block_id: 'order-1001',
        action_id: 'ship_order',
        text: { type: 'plain_text', text: 'Ship it & say so: 100 % + 1', emoji: true },
        value: 'order 1001',
        action_ts: '1763715601.000200',
      },
    ],
  };
}
