import type { Fresh } from '../sampling/fresh.ts';
import type { Json, Sample, SampleContent } from '../sampling/sample.ts';
import { slack } from './slack.ts';

export const slackSamples: Sample[] = [
  sample(
    'message',
    'somebody wrote in a channel',
    'https://docs.slack.dev/reference/events/message.channels',
    message,
  ),
  sample(
    'url_verification',
    'what Slack sends to a new request URL; hookrelay answers its challenge',
    'https://docs.slack.dev/reference/events/url_verification',
    (fresh) => ({
      token: fresh.base62(24),
      challenge: fresh.base62(52),
      type: 'url_verification',
    }),
  ),
];

/** The headers come from a received delivery. Slack documents only those of the signature. */
function sample(
  event: string,
  description: string,
  source: string,
  payload: (fresh: Fresh) => Json,
): Sample {
  return {
    name: `slack.${event}`,
    provider: 'slack',
    signature: slack.signature,
    description,
    format: 'json',
    source,
    build: (fresh): SampleContent => ({
      payload: payload(fresh),
      headers: [
        ['Accept', '*/*'],
        ['Content-Type', 'application/json'],
        ['User-Agent', 'Slackbot 1.0 (+https://api.slack.com/robots)'],
      ],
      // Slack identifies deliveries by event_id in the body. The signature doesn't name it.
      deliveryId: fresh.uuid(),
    }),
  };
}

/** The envelope: https://docs.slack.dev/apis/events-api */
function message(fresh: Fresh): Json {
  const team = `T${fresh.upper(10)}`;
  const channel = `C${fresh.upper(10)}`;
  const user = `U${fresh.upper(10)}`;
  const app = `A${fresh.upper(10)}`;
  const ts = `${fresh.seconds()}.${fresh.digits(6)}`;
  const text = 'Order 1001 is packed, who takes it to the post office?';
  return {
    token: fresh.base62(24),
    team_id: team,
    context_team_id: team,
    context_enterprise_id: null,
    api_app_id: app,
    event: {
      user,
      type: 'message',
      ts,
      client_msg_id: fresh.uuid(),
      text,
      team,
      blocks: [
        {
          type: 'rich_text',
          block_id: fresh.base62(5),
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
        },
      ],
      channel,
      event_ts: ts,
      channel_type: 'channel',
    },
    type: 'event_callback',
    event_id: `Ev${fresh.upper(10)}`,
    event_time: fresh.seconds(),
    authorizations: [
      {
        enterprise_id: null,
        team_id: team,
        user_id: `U${fresh.upper(10)}`,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
    event_context: `4-${Buffer.from(
      JSON.stringify({ et: 'message', tid: team, aid: app, cid: channel }),
    ).toString('base64')}`,
  };
}
