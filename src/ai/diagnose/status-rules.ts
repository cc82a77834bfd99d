import { giveUpCode } from '../../core/settings/gives-up.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { formatSize } from '../../core/text/size.ts';
import { clean } from '../../core/text/words.ts';
import { type Case, type DestinationTarget, type DiagnosedCause, destinationOf } from './case.ts';
import {
  bodyStep,
  debugStep,
  destinationCommand,
  headerStep,
  moveStep,
  replayStep,
  resendStep,
  signStep,
} from './steps.ts';

type Rule = (target: DestinationTarget, subject: Case) => DiagnosedCause;

const signatureSteps = (target: DestinationTarget, subject: Case): string[] =>
  target.isSigned
    ? [
        "If it verifies hookrelay's signature, compare the secret: it must be this destination's, and be used on the raw body, before any parsing.",
        signStep('If the secret was lost, take a new one', target, subject),
      ]
    : [
        signStep(
          "This destination has no signing secret, so deliveries carry no signature of hookrelay's; if the service wants one",
          target,
          subject,
        ),
        "The sender's own headers are passed on unchanged; if the service verifies the sender's signature, it needs the sender's secret. One that covers the URL (Twilio's) can't verify at another URL.",
      ];

const givesUpOn = ({ destinationId }: DestinationTarget, subject: Case): boolean =>
  giveUpCode(410, destinationOf(subject, destinationId)?.settings.retry?.give_up_on) !== null;

/** Statuses below 500 of failures that may pass without a change. */
const PASSING = new Set([408, 409, 423, 425, 429]);

/** Rules by status, except 2xx. `statusVerdict` handles the other statuses by their class. */
const BY_STATUS: Record<number, Rule> = {
  400: (target, subject) => ({
    cause: `The service considers the request invalid (400): it could not parse the body, misses a field or header, or rejects the signature in this way.`,
    steps: [
      bodyStep(subject),
      resendStep(target, subject),
      ...signatureSteps(target, subject).slice(0, 1),
      debugStep(subject),
    ],
  }),
  401: (target, subject) => ({
    cause:
      'The service did not accept the credentials of the request (401): the signature does not verify, or a token or password is missing.',
    steps: [
      ...signatureSteps(target, subject),
      headerStep(target, subject),
      bodyStep(subject),
      replayStep(subject),
    ],
  }),
  403: (target, subject) => ({
    cause:
      'The service, or a firewall or bot protection in front of it, refuses the request, regardless of its sender (403); a rejected signature looks the same.',
    steps: [
      bodyStep(subject),
      'If the answer is the page of a firewall or bot protection, let this path through there.',
      ...signatureSteps(target, subject).slice(0, 1),
      replayStep(subject),
    ],
  }),
  404: (target, subject) => ({
    cause: `There is nothing at that path (404): the URL is wrong, the route isn't deployed, or the sub-path that the event came on${subject.event.path ? ` (${clean(subject.event.path, 80)})` : ''} is appended to a URL that has no such route.`,
    steps: [
      `Try the URL: curl -i -m 10 -X ${subject.event.method} ${target.quotedUrl}`,
      moveStep('If it is wrong', "'https://…'", target, subject),
      ...(subject.event.path
        ? [
            destinationCommand(
              'If the service has one route for all events, leave the sub-path out',
              ['edit', '--path ignore'],
              target.destinationId,
              subject,
            ),
          ]
        : []),
      replayStep(subject),
    ],
  }),
  405: (target, subject) => ({
    cause: `The path is there, but does not take ${subject.event.method} (405). hookrelay delivers with the method of the captured request.`,
    steps: [
      `Add a ${subject.event.method} route for it, or correct the URL (a missing or extra trailing slash is enough): curl -i -m 10 -X ${subject.event.method} ${target.quotedUrl}`,
      replayStep(subject),
    ],
  }),
  408: (target, subject) => ({
    cause:
      'The service, or a proxy in front of it, waited for the request and gave up (408): it is overloaded, or the body was too slow for its limit.',
    steps: [
      `Try it: curl -i -m 10 -X POST ${target.quotedUrl}`,
      'Raise its read timeout.',
      replayStep(subject),
    ],
  }),
  409: (_, subject) => ({
    cause:
      'The service says that this conflicts with what it has (409). If it means that it has the event already, that is a success: it should answer 2xx to repeats.',
    steps: [
      bodyStep(subject),
      'Answer 2xx to a webhook-id that was processed before.',
      replayStep(subject),
    ],
  }),
  410: (target, subject) => ({
    cause: givesUpOn(target, subject)
      ? 'The service says that this URL is gone for good (410). hookrelay takes it at its word: the delivery ended at once, without retries.'
      : 'The service says that this URL is gone for good (410).',
    steps: [
      `If that is right: hookrelay destinations remove ${subject.endpoint.id} ${target.destinationId}`,
      `If not, find who answers 410 (${target.host}), then: hookrelay replay ${subject.event.id}`,
    ],
  }),
  413: (_, subject) => ({
    cause: `The body of ${formatSize(subject.event.size)} is more than the service, or a proxy in front of it, takes (413).`,
    steps: [
      'Raise the limit: client_max_body_size in nginx (1 MB by default), express.json({ limit }) (100 KB by default), or what your framework calls it.',
      replayStep(subject),
    ],
  }),
  415: (_, subject) => ({
    cause: `The service does not take this content type (415): ${subject.event.contentType ? clean(subject.event.contentType, 80) : 'the request has none'}. hookrelay passes on the sender's.`,
    steps: [
      'Have the handler read the raw body whatever its type is, and parse it itself.',
      'Or set the content type where the sender is configured (GitHub: "application/json").',
      replayStep(subject),
    ],
  }),
  421: (target, subject) => ({
    cause: `The server that answered is not responsible for ${target.host} (421): a proxy routes the name to the wrong place.`,
    steps: [`Look at what answers: curl -v -m 10 ${target.quotedUrl}`, replayStep(subject)],
  }),
  422: (target, subject) => ({
    cause:
      'The service could read the body but does not accept what it says (422): a field is missing, or has another type or value than its schema wants.',
    steps: [
      bodyStep(subject),
      `See the type of what was sent: hookrelay ai schema ${subject.event.id}`,
      resendStep(target, subject),
      debugStep(subject),
    ],
  }),
  425: (_, subject) => ({
    cause: 'The service does not want to risk a request that may be a repeat of early data (425).',
    steps: [bodyStep(subject), replayStep(subject)],
  }),
  429: (target, subject) => ({
    cause:
      'The service limits how many requests it takes, and this was over it (429). A Retry-After holds all of its deliveries back for as long as it asks.',
    steps: [
      'Raise its limit for hookrelay, or answer 2xx at once and queue the work.',
      destinationCommand(
        'Or limit what it gets',
        ['edit', '--rate 10/second'],
        target.destinationId,
        subject,
      ),
      `When its load has dropped: hookrelay replay ${subject.event.id}`,
    ],
  }),
  500: (target, subject) => ({
    cause: 'The service failed on this request (500): its own code threw an error.',
    steps: [
      "Look at the service's log at the times above; x-hookrelay-delivery identifies the request.",
      bodyStep(subject),
      resendStep(target, subject),
      debugStep(subject),
    ],
  }),
  501: (_, subject) => ({
    cause: `The service does not implement ${subject.event.method} (501).`,
    steps: ['Add a route that does, or correct the URL.', replayStep(subject)],
  }),
  502: (target, subject) => ({
    cause: `A proxy in front of the service got no valid answer from it (502): the service behind ${target.host} is down, restarts or crashes.`,
    steps: [
      "Look at the proxy's error log, and whether the service runs behind it.",
      bodyStep(subject),
      replayStep(subject),
    ],
  }),
  503: (target, subject) => ({
    cause:
      'The service is not available at the moment (503): maintenance, a deployment, no healthy instance, or overload.',
    steps: [
      `Is it up? curl -i -m 10 ${target.quotedUrl}`,
      bodyStep(subject),
      `When it is back: hookrelay replay ${subject.event.id}`,
    ],
  }),
  504: (_, subject) => ({
    cause: `A proxy in front of the service waited for it and gave up (504), before hookrelay's own ${formatDuration(subject.limits.attemptTimeoutMs)} were over: the handler is too slow.`,
    steps: [
      'Answer 2xx as soon as the event is stored or queued, and do the work afterwards.',
      "Or raise the proxy's timeout (proxy_read_timeout in nginx).",
      replayStep(subject),
    ],
  }),
};

/** Applies the rule for a status other than 2xx and a redirect. */
export function statusVerdict(
  status: number,
  target: DestinationTarget,
  subject: Case,
): DiagnosedCause {
  const isLasting = (status < 500 && !PASSING.has(status)) || status === 501 || status === 505;
  const rule = BY_STATUS[status];
  if (rule) return { isLasting, ...rule(target, subject) };
  if (status >= 500 && status < 600) {
    return {
      isLasting,
      cause: `The service, or a proxy or CDN in front of it, failed (${status}).`,
      steps: ['Look at its log at the times above.', bodyStep(subject), replayStep(subject)],
    };
  }
  if (status >= 400 && status < 500) {
    return {
      isLasting,
      cause: `The service rejects the request as it is (${status}).`,
      steps: [bodyStep(subject), resendStep(target, subject), debugStep(subject)],
    };
  }
  return {
    isLasting: true,
    cause: `The service answered with the status ${status}, which is no success: only 2xx is.`,
    steps: ['Have it answer 200 or 204.', bodyStep(subject), replayStep(subject)],
  };
}
