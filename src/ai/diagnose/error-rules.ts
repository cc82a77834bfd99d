import type { AttemptErrorCode } from '../../core/model.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { clean } from '../../core/text/words.ts';
import type { Failed, Finding, Text, Unanswered } from './rule.ts';
import { destinationStep, editStep, forwardStep, httpsStep, moveStep } from './steps.ts';
import { TUNNEL_HOST } from './tunnel-rules.ts';

/** Hosts that always mean this machine, whatever DNS says. */
const LOOPBACK = /^(127\.[\d.]+|::1|(.+\.)?localhost)$/;

/** The longest deadline that a destination can have, seconds. */
const LONGEST_TIMEOUT_S = 60;

const DROP_REPEATS =
  'drop repeats by the webhook-id header, which stays the same on every attempt.';

const reach = ({ quotedUrl }: Failed): string =>
  `curl -sS -o /dev/null -w '%{http_code} %{time_total}s\\n' -m 10 -X POST ${quotedUrl}`;

const dig = ({ shellHost }: Failed): string =>
  `dig +short ${shellHost} A; dig +short ${shellHost} AAAA`;

const dnsFinding = (cause: Text<Failed>, isLasting = false): Finding => ({
  isLasting,
  cause,
  steps: [
    (failed) => `Ask DNS for it: ${dig(failed)}`,
    moveStep('If the name is wrong'),
    (failed) => (TUNNEL_HOST.test(failed.host) ? forwardStep(failed) : ''),
    'If dig finds it from elsewhere but not on this machine, look at the resolver in /etc/resolv.conf.',
  ],
});

/** Returns the cause if an `http:` URL has a port that usually speaks TLS. */
function speaksTls({ url, host, port }: Failed): string | null {
  return url.startsWith('http:') && /443$/.test(port)
    ? `The destination's URL begins with http:, and port ${port} of ${host} most likely speaks TLS: it closed the connection because no TLS handshake came.`
    : null;
}

const mayBeTlsStep = (failed: Failed): string =>
  failed.url.startsWith('http:') ? httpsStep('If that port speaks TLS, use https:')(failed) : '';

/**
 * Returns the step that gives the destination a longer deadline, unless its deadline is the longest
 * already.
 */
function moreTimeStep(failed: Failed): string {
  const seconds = failed.limits.attemptTimeoutMs / 1000;
  if (seconds >= LONGEST_TIMEOUT_S) return '';
  const flags = `--timeout ${Math.ceil(Math.min(LONGEST_TIMEOUT_S, seconds * 3))}s`;
  return destinationStep(failed, 'If it cannot be made faster, give it more time', 'edit', flags);
}

const limitOf = ({ limits }: Failed): string => formatDuration(limits.attemptTimeoutMs);

type ErrorFinding = Finding<Unanswered>;

/**
 * The finding for each error of an attempt that got no response. Some findings also depend on the
 * error's message, which one of these files writes: `network/connection-error.ts`,
 * `webhook/attempt-error.ts`, `webhook/webhook-transport.ts` and `attempt/attempt-delivery.ts`.
 */
export const ERROR_RULES: Record<
  AttemptErrorCode,
  ErrorFinding | ((message: string) => ErrorFinding)
> = {
  dns_error: (message) =>
    /EAI_AGAIN|EAI_FAIL|ESERVFAIL|EREFUSED/.test(message)
      ? dnsFinding(
          ({ host }) =>
            `The name ${host} could not be looked up: the resolver that this server asks did not answer properly. That is more often this server's own DNS than the destination.`,
        )
      : dnsFinding(
          ({ host }) =>
            TUNNEL_HOST.test(host)
              ? `The name ${host} has no address in DNS. It is a tunnel's, and the tunnel is gone: its program was stopped, or was started again and has another name now.`
              : `The name ${host} has no address in DNS: it is misspelled, was never made, or was deleted (a preview deployment, for example).`,
          true,
        ),
  connect_refused: {
    cause: ({ host, port }) =>
      LOOPBACK.test(host)
        ? `${host} answers, but nothing listens on port ${port} of this server's own machine: the service is stopped, is starting, crashed, or listens on another port. In a container, ${host} is that container alone.`
        : `${host} answers on the network, but nothing listens on port ${port}: the service is stopped, is starting, crashed, or listens on another port or only on its own loopback address.`,
    steps: [
      ({ port }) =>
        `See whether it listens, on the destination's machine: ss -ltn 'sport = :${port}'`,
      (failed) => `Try it from this server: ${reach(failed)}`,
      'Start the service, or correct the port in the URL; a firewall that rejects looks the same.',
    ],
  },
  connect_error: {
    cause: ({ host, message }) =>
      `No connection to ${host} could be made (${message}) There is no route: the machine is off, its network is down, or its address belongs to a network that this server can't reach, IPv6 for example.`,
    steps: [
      (failed) =>
        `See which addresses it has, and whether they are reached: ${dig(failed)}; curl -4 -sS -o /dev/null -m 10 ${failed.quotedUrl}`,
      'If only -4 works, remove the AAAA record or give this server IPv6.',
    ],
  },
  tls_error: tlsFinding,
  timeout: (message) => {
    if (message.startsWith('No name server')) {
      return dnsFinding(
        ({ host }) =>
          `The name ${host} could not be looked up: no name server answered in time. Either the name servers of that name are down, or the resolver that this server asks.`,
      );
    }
    if (message.startsWith('No connection')) {
      return {
        cause: (failed) =>
          `${failed.host} did not take a connection on port ${failed.port} within ${limitOf(failed)}. Packets are dropped on the way: usually a firewall or security group that doesn't allow this server's address, or a machine that is off.`,
        steps: [
          ({ shellHost, port }) => `Try the port: nc -vz -w 10 ${shellHost} ${port}`,
          'Find the address that this server comes from, and allow it there: curl -s https://ifconfig.me',
        ],
      };
    }
    const part = message.startsWith('The response was not complete')
      ? 'began to answer but did not finish'
      : 'took the request but did not answer';
    return {
      cause: (failed) =>
        `${failed.host} ${part} within ${limitOf(failed)}. Most often the handler does its work before it answers: database, other services, mail.`,
      steps: [
        'Answer 2xx as soon as the event is stored or queued, and do the work afterwards.',
        (failed) => `Measure it: ${reach(failed)}`,
        `The service may have done the work: ${DROP_REPEATS}`,
        moreTimeStep,
      ],
    };
  },
  reset: (message) =>
    message.startsWith('The receiver closed a kept connection')
      ? {
          cause: ({ host }) =>
            `${host} closed a connection that it had kept open after an earlier request, just as this request was written to it. The retry uses a new connection.`,
          steps: [
            'Have the service, or the proxy in front of it, keep idle connections for longer than 5 s (in Node, server.keepAliveTimeout), or say how long it keeps them: Keep-Alive: timeout=2',
            `The service may have handled the request: ${DROP_REPEATS}`,
          ],
        }
      : {
          cause: (failed) =>
            speaksTls(failed) ??
            `${failed.host} took the connection and closed it before its response was complete: the process crashed or restarted during the request, a proxy in front gave up, or something in between cuts connections (a body limit, a web application firewall).`,
          steps: [
            "Look at the service's log at the times above for a crash, an out-of-memory kill or a deployment.",
            ({ quotedUrl }) => `Try it: curl -v -m 10 -X POST ${quotedUrl}`,
            'Behind a proxy, compare its keep-alive and body limits with those of the service.',
            mayBeTlsStep,
          ],
        },
  blocked_address: {
    isLasting: true,
    cause: ({ host }) =>
      `${host} leads to an address that is not public (private, loopback, link-local or reserved). This server refuses to connect to such addresses, so that accounts can't reach into its own network.`,
    steps: [
      (failed) => `See where the name leads: ${dig(failed)}`,
      forwardStep,
      'Where every account of this server is trusted (a laptop, a closed network): hookrelay serve --allow-private-destinations',
    ],
  },
  invalid_response: {
    isLasting: true,
    cause: (failed) =>
      speaksTls(failed) ??
      `The answer of ${failed.host} is not a valid HTTP/1.1 response (${failed.message}) Something other than a web server listens there, a proxy mangles the response, or its headers are broken or too long.`,
    steps: [
      ({ quotedUrl }) => `Look at the raw answer: curl -v --http1.1 -m 10 -X POST ${quotedUrl}`,
      ({ port }) =>
        `Check the port (${port}): HTTP/2-only, gRPC and database ports answer like this.`,
      mayBeTlsStep,
    ],
  },
  response_flood: {
    cause: ({ host, message }) =>
      `${host} took the request and sent more than any response needs, without an end (${message}) hookrelay takes at most 10,000 informational responses (1xx, such as 103 Early Hints) and 1 MiB in all. A loop in the service or in a proxy writes them.`,
    steps: [
      ({ quotedUrl }) =>
        `Look at what it sends, a second of it: curl -v --http1.1 -m 1 -X POST ${quotedUrl} 2>&1 | head -50`,
      'Have the service answer once, with a final status such as 200 or 204.',
    ],
  },
  invalid_path: {
    isLasting: true,
    cause: ({ event, url }) =>
      `The event was sent to the sub-path "${clean(event.path, 80)}", which would lead out of the destination's own path (${url}). It was never sent, and no retry can change that.`,
    steps: [
      'Have the sender use the capture URL without "..", encoded slashes and the like.',
      editStep(
        'Or have the destination get every event at its own URL, without the path',
        '--path ignore',
      ),
    ],
    replay: null,
  },
  request_unreadable: {
    isLasting: true,
    cause:
      "This event's record in the database is damaged: its content differs from what was written. Nothing was sent. A retry helps only if memory was at fault, and not the disk.",
    steps: [
      'See what else is damaged: hookrelay doctor --full',
      "Find the cause before it damages more: look in the system's log for a failing disk or memory.",
      'Have the sender send the event again, or stop the server and put a backup from before the damage in its place: hookrelay restore FILE',
    ],
  },
  secret_unreadable: {
    isLasting: true,
    cause:
      "The signing secret of this destination, or its headers, can't be opened with the key that this server has now: secret.key or HOOKRELAY_SECRET_KEY has changed since they were stored. Nothing was sent, and no retry can change that.",
    steps: [
      'Restore the old secret.key or HOOKRELAY_SECRET_KEY, and check: hookrelay doctor',
      editStep(
        'Or replace the secret, and the headers if it has any',
        '--generate-secret --no-headers',
      ),
    ],
  },
  not_verified: {
    isLasting: true,
    cause: ({ message }) =>
      `This destination's deliveries are signed as their provider signs (sign_as), and hookrelay signs only what the endpoint's present source has verified. ${message} Nothing was sent, and no retry can change that.`,
    steps: [
      ({ event }) =>
        `See what the capture found out: hookrelay events get ${event.id} --json | jq .verification`,
      'If the source was wrong at that time, correct it, and have the sender send the event again: a verdict never changes.',
      editStep("Or pass the sender's own signature on", '--no-sign-as'),
    ],
  },
  loop: {
    isLasting: true,
    cause: ({ host }) =>
      `The request has come through more relays than any real path has: ${host} (or what it forwards to) sends events back to a capture URL that delivers to it again. The delivery was ended to stop the loop.`,
    steps: [
      ({ event, endpoint }) =>
        `Find the loop: hookrelay events get ${event.id} --json | jq .headers; hookrelay destinations list ${endpoint.id}`,
      (failed) => destinationStep(failed, 'Remove the destination that leads back', 'remove'),
    ],
    replay: null,
  },
  internal: {
    cause: ({ host }) =>
      `The request to ${host} was never sent: hookrelay itself failed while preparing it, so the destination is not at fault.`,
    steps: [
      "Look at the server's log at the times above, and report it with that line.",
      'Look for the newest version: hookrelay --version shows yours.',
    ],
  },
  unknown: {
    cause: ({ host, message }) =>
      `The request to ${host} failed in a way that hookrelay has no name for (${message})`,
    steps: [
      ({ quotedUrl }) => `Try it from this server: curl -v -m 10 -X POST ${quotedUrl}`,
      "Look at the server's log at the times above, and report it with that line.",
    ],
  },
};

/**
 * The meaning of each reason that `tlsFailure` in `network/connection-error.ts` gives. The first
 * match counts.
 */
const TLS_REASONS: [says: RegExp, why: Text<Failed>, step: Text<Failed>][] = [
  [
    /self-signed/,
    'its certificate, or the authority at the end of its chain, is self-signed, so nobody vouches for it',
    "Install a certificate of a public authority, from Let's Encrypt for example: certbot certonly -d NAME",
  ],
  [
    /unknown authority|incomplete chain/,
    "its certificate can't be traced to a known authority; most often the server sends its own certificate without the intermediate one (browsers fill that gap in, HTTP clients don't)",
    'Configure the full chain (fullchain.pem, not cert.pem).',
  ],
  [
    /has expired/,
    'its certificate has expired',
    'Renew it, and reload the web server: certbot renew',
  ],
  [
    /not valid yet/,
    "its certificate is not valid yet, or this server's clock is wrong",
    'Compare the clock: date -u',
  ],
  [/revoked/, 'its certificate was revoked', 'Have a new one issued.'],
  [
    /another name/,
    ({ host }) => `its certificate is for another name than ${host}`,
    ({ host }) => `Use a name that the certificate has, or get one that has ${host}.`,
  ],
  [
    /does not speak TLS/,
    ({ port }) => `port ${port} does not speak TLS: it is a plain HTTP port`,
    'Correct the port in the URL, or turn TLS on there.',
  ],
  [/no TLS version/, 'it offers only TLS 1.1 or older', 'Turn on TLS 1.2 or 1.3 there.'],
  [
    /connection was closed/,
    'it closed the connection during the handshake: often a proxy that knows no such name (SNI), wants a client certificate, or a firewall',
    'Check that the web server has a site of that name.',
  ],
];

function tlsFinding(message: string): ErrorFinding {
  const [, why = message, step = ''] = TLS_REASONS.find(([says]) => says.test(message)) ?? [];
  return {
    isLasting: !message.includes('connection was closed'),
    cause: (failed) =>
      `No TLS connection to ${failed.host} could be made: ${typeof why === 'string' ? why : why(failed)}. hookrelay never skips this check.`,
    steps: [
      ({ shellHost, port }) =>
        `Look at what it presents: openssl s_client -connect ${shellHost}:${port} -servername ${shellHost} -showcerts </dev/null`,
      step,
    ],
  };
}
