import { giveUpCode } from '../../core/settings/gives-up.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { formatSize } from '../../core/text/size.ts';
import { clean } from '../../core/text/words.ts';
import { destinationOf } from './case.ts';
import type { Answered, Failed, Finding } from './rule.ts';
import { providerSecretStep } from './sender-signature.ts';
import {
  bodyStep,
  debugStep,
  editStep,
  headerStep,
  moveStep,
  resendStep,
  signStep,
} from './steps.ts';

/** Returns the step that compares the secrets, or sets one. */
const secretStep = (failed: Failed): string => providerSecretStep(failed) || ownSecretStep(failed);

const ownSecretStep = (failed: Failed): string =>
  failed.isSigned
    ? "If it verifies hookrelay's signature, compare the secret: it must be this destination's, and be used on the raw body, before any parsing."
    : signStep(
        "This destination has no signing secret, so deliveries carry no signature of hookrelay's; if the service wants one",
      )(failed);

const otherSecretStep = (failed: Failed): string =>
  failed.event.signature
    ? ownSecretStep(failed)
    : failed.isSigned
      ? signStep('If the secret was lost, take a new one')(failed)
      : "The sender's own headers are passed on unchanged; if the service verifies the sender's signature, it needs the sender's secret. One that covers the URL (Twilio's) can't verify at another URL.";

const givesUpOn410 = (failed: Failed): boolean => {
  const { retry } = destinationOf(failed, failed.destinationId)?.settings ?? {};
  return giveUpCode(410, retry?.give_up_on) !== null;
};

/** Statuses below 500 for failures that may end without a change. */
const PASSING = new Set([408, 409, 423, 425, 429]);

/** Findings by status, except 2xx. `statusFinding` handles the other statuses by their class. */
const BY_STATUS: Record<number, Finding> = {
  400: {
    cause:
      'The service considers the request invalid (400): it could not parse the body, misses a field or header, or rejects the signature.',
    steps: [bodyStep, resendStep, secretStep, debugStep],
    replay: null,
  },
  401: {
    cause:
      'The service did not accept the credentials of the request (401): the signature does not verify, or a token or password is missing.',
    steps: [secretStep, otherSecretStep, headerStep, bodyStep],
  },
  403: {
    cause:
      'The service, or a firewall or bot protection in front of it, refuses the request, regardless of its sender (403); a rejected signature looks the same.',
    steps: [
      bodyStep,
      'If the answer is the page of a firewall or bot protection, let this path through there.',
      secretStep,
    ],
  },
  404: {
    cause: ({ event: { path } }) =>
      `There is nothing at that path (404): the URL is wrong, the route isn't deployed, or the event's sub-path${path ? ` (${clean(path, 80)})` : ''} is appended to a URL that has no such route.`,
    steps: [
      ({ event, quotedUrl }) => `Try the URL: curl -i -m 10 -X ${event.method} ${quotedUrl}`,
      moveStep('If it is wrong'),
      (failed) => (failed.event.path ? withoutSubPath(failed) : ''),
    ],
  },
  405: {
    cause: ({ event }) =>
      `The path is there, but does not take ${event.method} (405). hookrelay delivers with the method of the captured request.`,
    steps: [
      ({ event: { method }, quotedUrl }) =>
        `Add a ${method} route for it, or correct the URL (a missing or extra trailing slash is enough): curl -i -m 10 -X ${method} ${quotedUrl}`,
    ],
  },
  408: {
    cause:
      'The service, or a proxy in front of it, waited for the request and gave up (408): it is overloaded, or the body came too slowly.',
    steps: [
      ({ quotedUrl }) => `Try it: curl -i -m 10 -X POST ${quotedUrl}`,
      'Raise its read timeout.',
    ],
  },
  409: {
    cause:
      'The service says that the request conflicts with its data (409). If it means that it has the event already, it should answer 2xx.',
    steps: [bodyStep, 'Answer 2xx to a webhook-id that was processed before.'],
  },
  410: {
    cause: (failed) =>
      givesUpOn410(failed)
        ? 'The service says that this URL is gone for good (410). So the delivery ended at once, without retries.'
        : 'The service says that this URL is gone for good (410).',
    steps: [
      ({ endpoint, destinationId }) =>
        `If that is right: hookrelay destinations remove ${endpoint.id} ${destinationId}`,
    ],
    replay: ({ host }) => `If not, find who answers 410 (${host}), then`,
  },
  413: {
    cause: ({ event }) =>
      `The body of ${formatSize(event.size)} is more than the service, or a proxy in front of it, takes (413).`,
    steps: [
      'Raise the limit: client_max_body_size in nginx (1 MB by default), express.json({ limit }) (100 KB by default), or what your framework calls it.',
    ],
  },
  415: {
    cause: ({ event: { contentType } }) =>
      `The service does not take this content type (415): ${contentType ? clean(contentType, 80) : 'the request has none'}. hookrelay passes on the sender's.`,
    steps: [
      'Have the handler read the raw body whatever its type is, and parse it itself.',
      'Or set the content type where the sender is configured (GitHub: "application/json").',
    ],
  },
  421: {
    cause: ({ host }) =>
      `The server that answered is not responsible for ${host} (421): a proxy routes the name to the wrong place.`,
    steps: [({ quotedUrl }) => `Look at what answers: curl -v -m 10 ${quotedUrl}`],
  },
  422: {
    cause:
      'The service could read the body but does not accept its content (422): a field is missing, or has a wrong type or value.',
    steps: [
      bodyStep,
      ({ event }) => `See the type of what was sent: hookrelay ai schema ${event.id}`,
      resendStep,
      debugStep,
    ],
    replay: null,
  },
  425: {
    cause: 'The service does not want to risk a request that may be a repeat of early data (425).',
    steps: [bodyStep],
  },
  429: {
    cause:
      'The request was over the rate limit of the service (429). If the answer has a Retry-After, all deliveries to it wait until then.',
    steps: [
      'Raise its limit for hookrelay, or answer 2xx at once and queue the work.',
      editStep('Or limit what it gets', '--rate 10/second'),
    ],
    replay: 'When its load has dropped',
  },
  500: {
    cause: 'The service failed on this request (500): its own code threw an error.',
    steps: [
      "Look at the service's log at the times above; x-hookrelay-delivery identifies the request.",
      bodyStep,
      resendStep,
      debugStep,
    ],
    replay: null,
  },
  501: {
    cause: ({ event }) => `The service does not implement ${event.method} (501).`,
    steps: ['Add a route that does, or correct the URL.'],
  },
  502: {
    cause: ({ host }) =>
      `A proxy in front of the service got no valid answer from it (502): the service behind ${host} is down, restarts or crashes.`,
    steps: ["Look at the proxy's error log, and whether the service runs behind it.", bodyStep],
  },
  503: {
    cause:
      'The service is not available at the moment (503): maintenance, a deployment, no healthy instance, or overload.',
    steps: [({ quotedUrl }) => `Is it up? curl -i -m 10 ${quotedUrl}`, bodyStep],
    replay: 'When it is back',
  },
  504: {
    cause: ({ limits }) =>
      `A proxy in front of the service waited for it and gave up (504), before hookrelay's own ${formatDuration(limits.attemptTimeoutMs)} were over: the handler is too slow.`,
    steps: [
      'Answer 2xx as soon as the event is stored or queued, and do the work afterwards.',
      "Or raise the proxy's timeout (proxy_read_timeout in nginx).",
    ],
  },
};

const withoutSubPath = editStep(
  'If the service has one route for all events, leave the sub-path out',
  '--path ignore',
);

/** Returns the finding for a status that is neither 2xx nor a redirect. */
export function statusFinding({ status }: Answered): Finding {
  const isLasting = (status < 500 && !PASSING.has(status)) || status === 501 || status === 505;
  return { isLasting, ...(BY_STATUS[status] ?? byClass(status)) };
}

function byClass(status: number): Finding {
  if (status >= 500 && status < 600) {
    return {
      cause: `The service, or a proxy or CDN in front of it, failed (${status}).`,
      steps: ['Look at its log at the times above.', bodyStep],
    };
  }
  if (status >= 400 && status < 500) {
    return {
      cause: `The service rejects the request as it is (${status}).`,
      steps: [bodyStep, resendStep, debugStep],
      replay: null,
    };
  }
  return {
    isLasting: true,
    cause: `The service answered with the status ${status}, which is no success: only 2xx is.`,
    steps: ['Have it answer 200 or 204.', bodyStep],
  };
}
