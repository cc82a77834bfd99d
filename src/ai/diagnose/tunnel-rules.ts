import { clean } from '../../core/text/words.ts';
import { cloudflareError, type ReceiverAnswer } from './answer.ts';
import type { Answered, AnswerRule, Finding } from './rule.ts';
import { forwardStep, moveStep } from './steps.ts';

/** Host names of tunnels. Such a name exists only while the tunnel's program runs. */
export const TUNNEL_HOST =
  /\.(trycloudflare\.com|ngrok(-free)?\.(app|dev|io)|loca\.lt|lhr\.(life|rocks)|serveo\.net|devtunnels\.ms|tunnelmole\.net|pinggy\.link)$/i;

const ngrokError = ({ header, text }: ReceiverAnswer): string =>
  header('ngrok-error-code') || (/\bERR_NGROK_\d+/.exec(text)?.[0] ?? '');

const goneTunnel = (what: (answer: Answered) => string): Finding<Answered> => ({
  isLasting: true,
  cause: (answer) =>
    `${what(answer)} The tunnel is gone: its program was stopped, or was started again and has another URL now. The event never reached your service.`,
  steps: [moveStep('Start the tunnel again and, if its URL is another'), forwardStep],
});

/** Answers of tunnels. The first match counts. */
export const TUNNEL_RULES: AnswerRule[] = [
  {
    when: (answer) => /^ERR_NGROK_(3200|3204|6030|727)$/.test(ngrokError(answer)),
    ...goneTunnel(
      (answer) =>
        `ngrok answered, not your service (${ngrokError(answer)}: the endpoint is offline).`,
    ),
  },
  {
    when: (answer) => /^ERR_NGROK_(8012|8013|3004)$/.test(ngrokError(answer)),
    cause: (answer) =>
      `ngrok answered, not your service (${ngrokError(answer)}): the tunnel is up, but nothing that speaks HTTP listens where it leads on your machine.`,
    steps: [
      'Start the service, or start the tunnel with the port that it listens on.',
      forwardStep,
    ],
  },
  {
    when: (answer) => ngrokError(answer) !== '' && answer.status >= 400,
    cause: (answer) => `ngrok answered, not your service: ${clean(ngrokError(answer), 40)}.`,
    steps: [
      (answer) =>
        `Read what it means: https://ngrok.com/docs/errors/${clean(ngrokError(answer), 40).toLowerCase()}`,
      forwardStep,
    ],
  },
  {
    when: (answer) =>
      answer.status === 530 &&
      (cloudflareError(answer) === '1033' || /argo tunnel/i.test(answer.text)),
    ...goneTunnel(
      () => 'Cloudflare answered, not your service (530, error 1033: no cloudflared is connected).',
    ),
  },
  {
    when: ({ status, header, text }) =>
      /tunnel unavailable/i.test(text) || (status >= 400 && header('x-localtunnel-status') !== ''),
    ...goneTunnel(() => 'localtunnel answered, not your service.'),
  },
];
