import type { AttemptError, AttemptErrorCode } from '../../core/model.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { clean } from '../../core/text/words.ts';
import type { Case, DestinationTarget, DiagnosedCause } from './case.ts';
import { destinationCommand, forwardStep, moveStep, replayStep } from './steps.ts';
import { TUNNEL_HOST } from './tunnel-rules.ts';

type Rule = (target: DestinationTarget, error: AttemptError, subject: Case) => DiagnosedCause;

/** Hosts of a URL that are this machine, regardless of DNS. */
const LOOPBACK = /^(127\.[\d.]+|::1|(.+\.)?localhost)$/;

/** The longest deadline that a destination can have, seconds. */
const LONGEST_TIMEOUT_S = 60;

const reach = ({ quotedUrl }: DestinationTarget): string =>
  `curl -sS -o /dev/null -w '%{http_code} %{time_total}s\\n' -m 10 -X POST ${quotedUrl}`;

const dnsVerdict = (cause: string, target: DestinationTarget, subject: Case): DiagnosedCause => ({
  cause,
  steps: [
    `Ask DNS for it: dig +short ${target.shellHost} A; dig +short ${target.shellHost} AAAA`,
    moveStep('If the name is wrong', "'https://…'", target, subject),
    ...(TUNNEL_HOST.test(target.host) ? [forwardStep(subject)] : []),
    'If dig finds it from elsewhere but not on this machine, look at the resolver in /etc/resolv.conf.',
    replayStep(subject),
  ],
});

/** The cause for an `http:` URL with a port that usually speaks TLS. */
function speaksTls({ url, host, port }: DestinationTarget): string | null {
  return url.startsWith('http:') && /443$/.test(port)
    ? `The destination's URL begins with http:, and port ${port} of ${host} most likely speaks TLS: it closed the connection because no TLS handshake came.`
    : null;
}

function httpsStep(target: DestinationTarget, subject: Case): string[] {
  if (!target.url.startsWith('http:')) return [];
  const quotedUrl = target.quotedUrl.replace("'http:", "'https:");
  return [moveStep('If that port speaks TLS, use https:', quotedUrl, target, subject)];
}

/** A longer deadline, where the destination's isn't the longest already. */
function moreTimeStep({ destinationId }: DestinationTarget, subject: Case): string[] {
  const seconds = Math.min(LONGEST_TIMEOUT_S, (subject.limits.attemptTimeoutMs * 3) / 1000);
  if (subject.limits.attemptTimeoutMs >= LONGEST_TIMEOUT_S * 1000) return [];
  const flags = `--timeout ${Math.ceil(seconds)}s`;
  const say = 'If it cannot be made faster, give it more time';
  return [destinationCommand(say, ['edit', flags], destinationId, subject)];
}

/**
 * One rule for each error code of an attempt without a response
 * (`network/connection-error.ts`, `webhook/attempt-error.ts`, `webhook/webhook-transport.ts`, `attempt/attempt-delivery.ts`).
 */
export const ERROR_RULES: Record<AttemptErrorCode, Rule> = {
  dns_error: (target, { message }, subject) =>
    /EAI_AGAIN|EAI_FAIL|ESERVFAIL|EREFUSED/.test(message)
      ? dnsVerdict(
          `The name ${target.host} could not be looked up: the resolver that this server asks did not answer properly. That is more often this server's own DNS than the destination.`,
          target,
          subject,
        )
      : {
          isLasting: true,
          ...dnsVerdict(
            TUNNEL_HOST.test(target.host)
              ? `The name ${target.host} has no address in DNS. It is a tunnel's, and the tunnel is gone: its program was stopped, or was started again and has another name now.`
              : `The name ${target.host} has no address in DNS: it is misspelled, was never made, or was deleted (a preview deployment, for example).`,
            target,
            subject,
          ),
        },
  connect_refused: (target, _, subject) => ({
    cause: LOOPBACK.test(target.host)
      ? `${target.host} answers, but nothing listens on port ${target.port} of this server's own machine: the service is stopped, is starting, crashed, or listens on another port. In a container, ${target.host} is that container alone.`
      : `${target.host} answers on the network, but nothing listens on port ${target.port}: the service is stopped, is starting, crashed, or listens on another port or only on its own loopback address.`,
    steps: [
      `See whether it listens, on the destination's machine: ss -ltn 'sport = :${target.port}'`,
      `Try it from this server: ${reach(target)}`,
      'Start the service, or correct the port in the URL; a firewall that rejects looks the same.',
      replayStep(subject),
    ],
  }),
  connect_error: (target, { message }, subject) => ({
    cause: `No connection to ${target.host} could be made (${message}) There is no route: the machine is off, its network is down, or its address belongs to a network that this server can't reach, IPv6 for example.`,
    steps: [
      `See which addresses it has, and whether they are reached: dig +short ${target.shellHost} A; dig +short ${target.shellHost} AAAA; curl -4 -sS -o /dev/null -m 10 ${target.quotedUrl}`,
      'If only -4 works, remove the AAAA record or give this server IPv6.',
      replayStep(subject),
    ],
  }),
  tls_error: tlsVerdict,
  timeout: (target, { message }, subject) => {
    const limit = formatDuration(subject.limits.attemptTimeoutMs);
    if (message.startsWith('No name server')) {
      return dnsVerdict(
        `The name ${target.host} could not be looked up: no name server answered in time. Either the name servers of that name are down, or the resolver that this server asks.`,
        target,
        subject,
      );
    }
    if (message.startsWith('No connection')) {
      return {
        cause: `${target.host} did not take a connection on port ${target.port} within ${limit}. Packets are dropped on the way: usually a firewall or security group that doesn't allow this server's address, or a machine that is off.`,
        steps: [
          `Try the port: nc -vz -w 10 ${target.shellHost} ${target.port}`,
          `Find the address that this server comes from, and allow it there: curl -s https://ifconfig.me`,
          replayStep(subject),
        ],
      };
    }
    const part = message.startsWith('The response was not complete')
      ? 'began to answer but did not finish'
      : 'took the request but did not answer';
    return {
      cause: `${target.host} ${part} within ${limit}. Most often the handler does its work before it answers: database, other services, mail.`,
      steps: [
        'Answer 2xx as soon as the event is stored or queued, and do the work afterwards.',
        `Measure it: ${reach(target)}`,
        'The work may have been done all the same: drop repeats by the webhook-id header, which stays the same on every attempt.',
        ...moreTimeStep(target, subject),
        replayStep(subject),
      ],
    };
  },
  reset: (target, { message }, subject) => {
    if (message.startsWith('The receiver closed a kept connection')) {
      return {
        cause: `${target.host} closed a connection that it had kept open after an earlier request, just as this request was written to it. The retry uses a new connection.`,
        steps: [
          'Have the service, or the proxy in front of it, keep idle connections for longer than 5 s (in Node, server.keepAliveTimeout), or say how long it keeps them: Keep-Alive: timeout=2',
          'The request may have been handled all the same: drop repeats by the webhook-id header, which stays the same on every attempt.',
          replayStep(subject),
        ],
      };
    }
    return {
      cause:
        speaksTls(target) ??
        `${target.host} took the connection and closed it before its response was complete: the process crashed or was restarted in mid-request, a proxy in front gave up, or something between cuts connections (a body limit, a web application firewall).`,
      steps: [
        `Look at the service's log at the times above for a crash, an out-of-memory kill or a deployment.`,
        `Try it: curl -v -m 10 -X POST ${target.quotedUrl}`,
        'Behind a proxy, compare its keep-alive and body limits with those of the service.',
        ...httpsStep(target, subject),
        replayStep(subject),
      ],
    };
  },
  blocked_address: (target, _, subject) => ({
    isLasting: true,
    cause: `${target.host} leads to an address that is not public (private, loopback, link-local or reserved). This server refuses to connect to such addresses, so that accounts can't reach into its own network.`,
    steps: [
      `See where the name leads: dig +short ${target.shellHost} A; dig +short ${target.shellHost} AAAA`,
      forwardStep(subject),
      'Where every account of this server is trusted (a laptop, a closed network): hookrelay serve --allow-private-destinations',
      replayStep(subject),
    ],
  }),
  invalid_response: (target, { message }, subject) => ({
    isLasting: true,
    cause:
      speaksTls(target) ??
      `What ${target.host} answered is no valid HTTP/1.1 response (${message}) Something other than a web server listens there, a proxy mangles the response, or its headers are broken or too long.`,
    steps: [
      `Look at the raw answer: curl -v --http1.1 -m 10 -X POST ${target.quotedUrl}`,
      `Check the port (${target.port}): HTTP/2-only, gRPC and database ports answer like this.`,
      ...httpsStep(target, subject),
      replayStep(subject),
    ],
  }),
  response_flood: (target, { message }, subject) => ({
    cause: `${target.host} took the request and sent more than any response needs, without an end (${message}) hookrelay takes at most 10,000 informational responses (1xx, such as 103 Early Hints) and 1 MiB in all. A loop in the service or in a proxy writes them.`,
    steps: [
      `Look at what it sends, a second of it: curl -v --http1.1 -m 1 -X POST ${target.quotedUrl} 2>&1 | head -50`,
      'Have the service answer once, with a final status such as 200 or 204.',
      replayStep(subject),
    ],
  }),
  invalid_path: (target, _, subject) => ({
    isLasting: true,
    cause: `The event was sent to the sub-path "${clean(subject.event.path, 80)}", which would lead out of the destination's own path (${target.url}). It was never sent, and no retry can change that.`,
    steps: [
      'Have the sender use the capture URL without "..", encoded slashes and the like.',
      destinationCommand(
        'Or have the destination get every event at its own URL, without the path',
        ['edit', '--path ignore'],
        target.destinationId,
        subject,
      ),
    ],
  }),
  request_unreadable: (_, __, subject) => ({
    isLasting: true,
    cause:
      "This event's record in the database is damaged: its content differs from what was written. Nothing was sent. A retry helps only if memory was at fault, and not the disk.",
    steps: [
      'See what else is damaged: hookrelay doctor --full',
      "Find the cause before it damages more: look in the system's log for a failing disk or memory.",
      'Have the sender send the event again, or stop the server and put a backup from before the damage in its place: hookrelay restore FILE',
      replayStep(subject),
    ],
  }),
  secret_unreadable: (target, _, subject) => ({
    isLasting: true,
    cause:
      "The signing secret of this destination, or its headers, can't be opened with the key that this server has now: secret.key or HOOKRELAY_SECRET_KEY has changed since they were stored. Nothing was sent, and no retry can change that.",
    steps: [
      'Restore the old secret.key or HOOKRELAY_SECRET_KEY, and check: hookrelay doctor',
      destinationCommand(
        'Or replace the secret, and the headers if it has any',
        ['edit', '--generate-secret --no-headers'],
        target.destinationId,
        subject,
      ),
      replayStep(subject),
    ],
  }),
  not_verified: (target, { message }, subject) => ({
    isLasting: true,
    cause: `This destination's deliveries are signed as their provider signs (sign_as), and hookrelay signs only what the endpoint's present source has verified. ${message} Nothing was sent, and no retry can change that.`,
    steps: [
      `See what the capture found out: hookrelay events get ${subject.event.id} --json | jq .verification`,
      'If the source was wrong at that time, correct it, and have the sender send the event again: a verdict never changes.',
      destinationCommand(
        "Or pass the sender's own signature on",
        ['edit', '--no-sign-as'],
        target.destinationId,
        subject,
      ),
      replayStep(subject),
    ],
  }),
  loop: (target, _, subject) => ({
    isLasting: true,
    cause: `The request has come through more relays than any real path has: ${target.host} (or what it forwards to) sends events back to a capture URL that delivers to it again. The delivery was ended to stop the loop.`,
    steps: [
      `Find the loop: hookrelay events get ${subject.event.id} --json | jq .headers; hookrelay destinations list ${subject.endpoint.id}`,
      `Remove the destination that leads back: hookrelay destinations remove ${subject.endpoint.id} ${target.destinationId}`,
    ],
  }),
  internal: (target, _, subject) => ({
    cause: `The request to ${target.host} was never sent: hookrelay itself failed while preparing it, so the destination is not at fault`,
    steps: [
      "Look at the server's log at the times above, and report it with that line.",
      'Look for the newest version: hookrelay --version shows yours.',
      replayStep(subject),
    ],
  }),
  unknown: (target, { message }, subject) => ({
    cause: `The request to ${target.host} failed in a way that hookrelay has no name for (${message})`,
    steps: [
      `Try it from this server: curl -v -m 10 -X POST ${target.quotedUrl}`,
      "Look at the server's log at the times above, and report it with that line.",
      replayStep(subject),
    ],
  }),
};

/** The meaning of each reason of `tlsFailure` in `network/connection-error.ts`. The first match counts. */
const TLS_REASONS: [RegExp, (target: DestinationTarget) => { why: string; step: string }][] = [
  [
    /self-signed/,
    () => ({
      why: 'its certificate, or the authority at the end of its chain, is self-signed, so nobody vouches for it',
      step: "Install a certificate of a public authority, from Let's Encrypt for example: certbot certonly -d NAME",
    }),
  ],
  [
    /unknown authority|incomplete chain/,
    () => ({
      why: "its certificate can't be traced to a known authority; most often the server sends its own certificate without the intermediate one (browsers fill that gap in, HTTP clients don't)",
      step: 'Configure the full chain (fullchain.pem, not cert.pem).',
    }),
  ],
  [
    /has expired/,
    () => ({
      why: 'its certificate has expired',
      step: 'Renew it, and reload the web server: certbot renew',
    }),
  ],
  [
    /not valid yet/,
    () => ({
      why: "its certificate is not valid yet, or this server's clock is wrong",
      step: 'Compare the clock: date -u',
    }),
  ],
  [/revoked/, () => ({ why: 'its certificate was revoked', step: 'Have a new one issued.' })],
  [
    /another name/,
    ({ host }) => ({
      why: `its certificate is for another name than ${host}`,
      step: `Use a name that the certificate has, or get one that has ${host}.`,
    }),
  ],
  [
    /does not speak TLS/,
    ({ port }) => ({
      why: `port ${port} does not speak TLS: it is a plain HTTP port`,
      step: 'Correct the port in the URL, or turn TLS on there.',
    }),
  ],
  [
    /no TLS version/,
    () => ({ why: 'it offers only TLS 1.1 or older', step: 'Turn on TLS 1.2 or 1.3 there.' }),
  ],
  [
    /connection was closed/,
    () => ({
      why: 'it closed the connection during the handshake: often a proxy that knows no such name (SNI), wants a client certificate, or a firewall',
      step: 'Check that the web server has a site of that name.',
    }),
  ],
];

function tlsVerdict(
  target: DestinationTarget,
  { message }: AttemptError,
  subject: Case,
): DiagnosedCause {
  const found = TLS_REASONS.find(([pattern]) => pattern.test(message))?.[1](target);
  return {
    isLasting: !message.includes('connection was closed'),
    cause: `No TLS connection to ${target.host} could be made: ${found?.why ?? message}. hookrelay never skips this check.`,
    steps: [
      `Look at what it presents: openssl s_client -connect ${target.shellHost}:${target.port} -servername ${target.shellHost} -showcerts </dev/null`,
      ...(found ? [found.step] : []),
      replayStep(subject),
    ],
  };
}
