import { formatDuration } from '../../core/text/duration.ts';
import { formatSize } from '../../core/text/size.ts';
import { clean } from '../../core/text/words.ts';
import { cloudflareError, type ReceiverAnswer } from './answer.ts';
import type { Answered, AnswerRule, Finding } from './rule.ts';
import { bodyStep, moveStep } from './steps.ts';

const isCloudflare = ({ header }: ReceiverAnswer): boolean =>
  header('cf-ray') !== '' || /cloudflare/i.test(header('server'));
/** Returns Cloudflare's id of the request, as `cf-ray …`, or an empty text if there is none. */
const cfRay = ({ header }: ReceiverAnswer): string =>
  header('cf-ray') && `cf-ray ${clean(header('cf-ray'), 40)}`;
const VERCEL_ERROR = /\b(DEPLOYMENT_(NOT_FOUND|DELETED|DISABLED|PAUSED)|FUNCTION_[A-Z]+_[A-Z_]+)\b/;
const vercelError = ({ header, text }: ReceiverAnswer): string =>
  header('x-vercel-error') || (VERCEL_ERROR.exec(text)?.[1] ?? '');

/** https://devcenter.heroku.com/articles/error-codes */
const HEROKU: Record<string, string> = {
  H10: 'the app crashed, or does not start',
  H11: 'too many requests wait for the app',
  H12: 'the app did not answer in 30 s',
  H13: 'the app closed the connection without an answer',
  H14: 'no web dyno runs',
  H18: "the app's answer broke off",
  H20: 'the app did not start in 75 s',
  H21: "the app's dyno refused the connection",
  H27: 'the client gave up before the app answered',
  H99: 'Heroku itself fails',
};
const HEROKU_PAGE = /herokucdn\.com\/error-pages\/(?!no-such-app)|heroku logs --tail/i;

/** Returns the code of Heroku's router, an empty text if its page hides the code, or null. */
function herokuError({ status, attempt, text, header }: ReceiverAnswer): string | null {
  if (status < 500) return null;
  const [, code] =
    /\bcode=(H\d\d)\b/.exec(text) ?? /\b(H\d\d)\b.{0,20}\bapp crashed/i.exec(text) ?? [];
  if (code && code in HEROKU) return code;
  const isRouter = /vegur|heroku/i.test(`${header('via')} ${header('server')}`);
  const isPage = HEROKU_PAGE.test(attempt.responseBody ?? '');
  return isPage || (isRouter && /application error/i.test(text)) ? '' : null;
}

const goneDeployment = (what: (answer: Answered) => string): Finding<Answered> => ({
  isLasting: true,
  cause: (answer) =>
    `${what(answer)} The event never reached your code: the deployment or app of that name was deleted, renamed or never made.`,
  steps: [moveStep('Use the URL that stays (the production domain, not one of a preview)')],
});

/** `Cloudflare answered, not your service (502, cf-ray …)`. */
const byCloudflare = (answer: Answered): string =>
  `Cloudflare answered, not your service (${[answer.status, cfRay(answer)].filter(Boolean).join(', ')})`;

/** The statuses by which Cloudflare reports that the service behind it failed. */
const CLOUDFLARE_STATUS: Record<number, string> = {
  520: "the origin's answer was empty or invalid",
  521: 'the origin refused the connection: it is down, or blocks Cloudflare',
  522: 'the origin did not take the connection in time: it is down, or a firewall drops Cloudflare',
  523: 'the origin cannot be reached: its address is wrong, or there is no route',
  524: 'the origin took the connection and did not answer in time',
  525: 'the TLS handshake with the origin failed',
  526: "the origin's certificate is not valid",
  527: 'the connection to the origin broke',
};

/** Answers of hosts and proxies in front of a service. The first match counts. */
export const HOST_RULES: AnswerRule[] = [
  {
    when: (answer) => answer.status === 530 && isCloudflare(answer),
    isLasting: true,
    cause: (answer) => {
      const error = cloudflareError(answer);
      return `Cloudflare answered, not your service (530${error && `, error ${error}`}): it could not find the origin. 1016 means that the origin's name has no address, 1033 that its tunnel is gone.`;
    },
    steps: [
      ({ quotedUrl }) => `See who answers: curl -sS -i -m 10 ${quotedUrl}`,
      "Correct the origin's record in Cloudflare's DNS, or start cloudflared again.",
    ],
  },
  {
    when: (answer) => vercelError(answer).startsWith('DEPLOYMENT_'),
    ...goneDeployment(
      (answer) => `Vercel answered, not your service (${clean(vercelError(answer), 60)}).`,
    ),
  },
  {
    when: (answer) => vercelError(answer) === 'FUNCTION_INVOCATION_TIMEOUT',
    cause: 'Vercel ended the function (FUNCTION_INVOCATION_TIMEOUT): it did not answer in time.',
    steps: [
      'Answer 2xx as soon as the event is stored or queued, and do the work afterwards (waitUntil).',
      'Or raise maxDuration of that function.',
    ],
  },
  {
    when: (answer) => vercelError(answer) === 'FUNCTION_PAYLOAD_TOO_LARGE',
    isLasting: true,
    cause: ({ event, status }) =>
      `Vercel answered for your function (FUNCTION_PAYLOAD_TOO_LARGE, ${status}): its functions take bodies of 4.5 MB at most, and this one has ${formatSize(event.size)}. The function never saw the event, and no setting raises the limit.`,
    steps: [
      moveStep('Send these events to a service that takes them'),
      'Or have the sender send less: ids in place of whole objects, or fewer items in one event.',
    ],
  },
  {
    when: (answer) => herokuError(answer) !== null,
    cause: (answer) => {
      const code = herokuError(answer) || 'H10';
      const isNamed = herokuError(answer) !== '';
      const what = HEROKU[code] ?? 'it got no answer from the app';
      return isNamed
        ? `Heroku's router answered, not your app (${clean(code, 4)}): ${what}.`
        : `Heroku's router answered, not your app: its page "Application error" most often is ${code}: ${what}; H12 (no answer in 30 s), H13 (the connection was closed) and H14 (no web dyno) look the same.`;
    },
    steps: [
      'The log has the code and the crash: heroku logs --tail',
      'See whether a web dyno runs: heroku ps; start them again: heroku ps:restart web',
    ],
    replay: 'When the app is up',
  },
  {
    when: (answer) => vercelError(answer) !== '' && answer.status >= 500,
    cause: (answer) =>
      `Vercel answered for your function: ${clean(vercelError(answer), 60)}. It crashed, or something before it failed.`,
    steps: ["Look at the function's log at the times above: vercel logs", bodyStep],
  },
  {
    when: ({ status, header, text }) =>
      status === 401 &&
      (/vercel authentication|_vercel_sso/i.test(text) ||
        /_vercel_sso/.test(header('set-cookie')) ||
        (/vercel/i.test(header('server')) && /authentication required/i.test(text))),
    isLasting: true,
    cause:
      'Vercel Authentication protects this deployment: it asks for a login at Vercel, which no webhook has. Your code never saw the event.',
    steps: [
      'Use the production domain, or turn Vercel Authentication off for this project (Settings, Deployment Protection).',
      moveStep(
        'Or make a secret under Protection Bypass for Automation, and add it to the URL',
        "'https://…?x-vercel-protection-bypass=SECRET'",
      ),
    ],
  },
  {
    when: ({ text, header, status }) =>
      status >= 400 &&
      (/\bno such app\b|application not found|train has not arrived|web app (not found|.*is stopped)|site not found/i.test(
        text,
      ) ||
        header('x-render-routing') === 'no-server' ||
        (status === 404 &&
          header('server') === 'Netlify' &&
          /^not found\b.*request id/i.test(text))),
    ...goneDeployment(
      () => 'The host answered, not your service: it knows no running app of that name.',
    ),
  },
  {
    when: ({ status, header, text }) =>
      status >= 400 &&
      (header('cf-mitigated') !== '' ||
        /just a moment\.\.\.|attention required! \| cloudflare|error code: 10(09|10|15|20)\b/i.test(
          text,
        )),
    isLasting: true,
    cause: (answer) =>
      `Cloudflare's protection stopped the request${cfRay(answer) && ` (${cfRay(answer)})`}; it never reached your service. It treats every client other than a browser as a bot.`,
    steps: [
      "Find the request under Security, Events in Cloudflare by its cf-ray, and let the webhook's path skip that rule.",
    ],
  },
  {
    when: ({ status }) => status in CLOUDFLARE_STATUS,
    cause: (answer) => `${byCloudflare(answer)}: ${CLOUDFLARE_STATUS[answer.status]}.`,
    steps: [
      'Look at the origin behind Cloudflare: whether it runs, its firewall, its certificate.',
    ],
  },
  {
    when: ({ text, header }) =>
      /missing authentication token/i.test(text) &&
      (header('x-amzn-requestid') !== '' ||
        header('x-amzn-errortype') !== '' ||
        text.startsWith('{')),
    isLasting: true,
    cause:
      'AWS API Gateway answered, not your service: it says "Missing Authentication Token" for a path or method that it does not have.',
    steps: [
      (answer) =>
        moveStep(
          `Correct the URL: it needs the stage, and a route that takes ${clean(answer.event.method, 20)}`,
        )(answer),
    ],
  },
  {
    when: ({ status, header }) => /^awselb\//.test(header('server')) && status >= 502,
    cause: ({ status }) =>
      `An AWS load balancer answered, not your service (${status}): ${status === 503 ? 'it has no healthy target' : status === 504 ? 'the target did not answer in time' : 'the target closed the connection or its answer was not HTTP'}.`,
    steps: ["Look at the target group's health checks and the target's log."],
  },
  {
    when: (answer) =>
      isCloudflare(answer) && [502, 504].includes(answer.status) && /cloudflare/i.test(answer.text),
    cause: (answer) =>
      `${byCloudflare(answer)}: the origin behind it gave no valid answer${answer.status === 504 ? ` before hookrelay's own ${formatDuration(answer.limits.attemptTimeoutMs)} were over` : ''}.`,
    steps: [
      'Look at the origin behind Cloudflare, or at cloudflared and the service that it leads to.',
    ],
  },
];
