import { isValidSlackRequest } from '@slack/bolt/dist/receivers/verify-request.js';
import { asObject, hmac, seconds } from '../documented.ts';
import type { Published, Vector } from '../vector.ts';

export default [
  {
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    otherSecret: '0f742231b10e8888abcd99yyyzzz85a5',
    header: 'X-Slack-Signature',
    body: 'token=xyz&team_id=T1&command=%2Fweather&text=94070',
    window: { pastS: 300, futureS: null },
    sign: ({ body, at }, secret) => ({
      headers: [
        ['X-Slack-Request-Timestamp', seconds(at)],
        ['X-Slack-Signature', `v0=${hmac('sha256', secret, 'hex', `v0:${seconds(at)}:`, body)}`],
      ],
    }),
    accepts: ({ headers, body, at }, signingSecret) => {
      const sent = asObject(headers);
      return isValidSlackRequest({
        signingSecret,
        body: body.toString(),
        headers: {
          'x-slack-signature': sent['x-slack-signature'] ?? '',
          'x-slack-request-timestamp': Number(sent['x-slack-request-timestamp']),
        },
        nowMilliseconds: at,
      });
    },
  },
] satisfies Vector[];

export const published: Published[] = [
  {
    source: 'https://docs.slack.dev/authentication/verifying-requests-from-slack',
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    headers: [
      ['X-Slack-Request-Timestamp', '1531420618'],
      ['X-Slack-Signature', 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'],
    ],
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    receivedAt: 1_531_420_618_000,
  },
];
