import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Case, CaseAttempt, Neighbour } from '../../../src/ai/diagnose/case.ts';
import { diagnoseEvent } from '../../../src/ai/diagnose/diagnose-event.ts';
import { ERROR_RULES } from '../../../src/ai/diagnose/error-rules.ts';
import type { AttemptErrorCode } from '../../../src/core/model.ts';
import { failureText } from '../../../src/core/proof/failure-text.ts';
import {
  answered,
  caseOf,
  delivery,
  destination,
  diagnose,
  failedWith,
  SECOND,
  START,
} from './cases.ts';

/** The messages are those of `network/connection-error.ts` and its neighbours. */
const ERRORS: [AttemptErrorCode, message: string, diagnosis: string[], suggestion: string[]][] = [
  [
    'dns_error',
    'The name does not resolve.',
    ['shop.example.com has no address'],
    ['dig +short shop.example.com A'],
  ],
  [
    'dns_error',
    'The name could not be resolved (EAI_AGAIN).',
    ["this server's own DNS"],
    ['/etc/resolv.conf'],
  ],
  [
    'connect_refused',
    'The connection was refused.',
    ['nothing listens on port 443'],
    ["ss -ltn 'sport = :443'", 'curl -sS'],
  ],
  [
    'connect_error',
    'The host or its network could not be reached.',
    ['no route'],
    ['curl -4', 'dig +short'],
  ],
  [
    'tls_error',
    'TLS handshake failed: self-signed certificate.',
    ['self-signed'],
    ['openssl s_client -connect shop.example.com:443', 'certbot'],
  ],
  [
    'tls_error',
    'TLS handshake failed: certificate has expired.',
    ['has expired'],
    ['certbot renew'],
  ],
  [
    'tls_error',
    'TLS handshake failed: certificate is for another name.',
    ['another name than shop.example.com'],
    ['openssl s_client'],
  ],
  [
    'tls_error',
    'TLS handshake failed: certificate of an unknown authority, or an incomplete chain.',
    ['intermediate'],
    ['fullchain.pem'],
  ],
  [
    'tls_error',
    'TLS handshake failed: certificate is not valid yet.',
    ['clock is wrong'],
    ['date -u'],
  ],
  [
    'tls_error',
    'TLS handshake failed: certificate has been revoked.',
    ['was revoked'],
    ['new one issued'],
  ],
  [
    'tls_error',
    'TLS handshake failed: the server does not speak TLS on this port.',
    ['plain HTTP port'],
    ['Correct the port'],
  ],
  [
    'tls_error',
    'TLS handshake failed: the server offers no TLS version from 1.2 on.',
    ['TLS 1.1 or older'],
    ['TLS 1.2 or 1.3'],
  ],
  ['tls_error', 'TLS handshake failed: the connection was closed.', ['SNI'], ['openssl s_client']],
  ['tls_error', 'TLS handshake failed: ERR_SSL_ODD.', ['ERR_SSL_ODD'], ['openssl s_client']],
  [
    'timeout',
    'No response after 10000 ms.',
    ['took the request but did not answer within 10 s'],
    ['hookrelay destinations edit ep_1 dst_1 --timeout 30s', 'webhook-id'],
  ],
  ['timeout', 'No name server answered in time.', ['no name server answered'], ['dig +short']],
  ['timeout', 'No connection after 10000 ms.', ['firewall'], ['nc -vz -w 10 shop.example.com 443']],
  ['timeout', 'The response was not complete after 10000 ms.', ['did not finish'], ['Answer 2xx']],
  [
    'reset',
    'The connection was closed before the response was complete.',
    ['closed it before'],
    ['curl -v'],
  ],
  [
    'reset',
    'The receiver closed a kept connection as the request was written.',
    ['had kept open after an earlier request', 'The retry uses a new connection'],
    ['server.keepAliveTimeout', 'Keep-Alive: timeout='],
  ],
  [
    'blocked_address',
    'The address is not public.',
    ['not public'],
    ['hookrelay listen 3000 --endpoint ep_1', '--allow-private-destinations'],
  ],
  [
    'invalid_response',
    'Expected HTTP/, RTSP/ or ICE/.',
    ['not a valid HTTP/1.1', 'Expected HTTP/'],
    ['curl -v --http1.1'],
  ],
  [
    'response_flood',
    'The receiver sent more than 10,000 informational responses (1xx).',
    ['more than any response needs', '103 Early Hints'],
    ['curl -v --http1.1 -m 1', 'final status', 'hookrelay deliveries retry dlv_1'],
  ],
  [
    'invalid_path',
    "The captured path would lead out of the destination's path.",
    ['/a/../b', 'never sent'],
    ['hookrelay destinations edit ep_1 dst_1 --path ignore'],
  ],
  [
    'request_unreadable',
    'The stored request is damaged.',
    ['is damaged', 'Nothing was sent'],
    ['hookrelay doctor --full', 'hookrelay restore', 'hookrelay deliveries retry dlv_1'],
  ],
  [
    'secret_unreadable',
    "The signing secret cannot be opened with this server's key. Set the destination's secret again.",
    ['secret.key'],
    ['hookrelay doctor', '--generate-secret'],
  ],
  [
    'not_verified',
    'The event is unverified (edited), and only verified events are signed.',
    ['sign_as', 'is unverified (edited)', 'Nothing was sent'],
    ['events get evt_', '--no-sign-as'],
  ],
  [
    'loop',
    'The request already came through 6 relays.',
    ['loop'],
    ['hookrelay destinations remove ep_1 dst_1'],
  ],
  [
    'internal',
    'A fault of hookrelay kept the request from being sent. Its log has the cause.',
    ['hookrelay itself failed'],
    ["server's log", 'hookrelay deliveries retry dlv_1'],
  ],
  ['unknown', 'The request failed (EWEIRD).', ['EWEIRD'], ['curl -v']],
];

describe('every named error', () => {
  test.each(ERRORS)('%s: %s', (code, message, inDiagnosis, inSuggestion) => {
    const { diagnosis, suggestion } = diagnose([failedWith(code, message)]);
    for (const text of inDiagnosis) expect(diagnosis).toContain(text);
    for (const text of inSuggestion) expect(suggestion).toContain(text);
    // The attempt is quoted as evidence.
    expect(diagnosis).toContain(`#1 at 2026-11-21 09:00:00 UTC: ${code} after 120 ms`);
    expect(suggestion).toMatch(/^1\. .+\n2\. /);
  });

  test('every error code of the model has a rule, and a case above', () => {
    const model = readFileSync(
      new globalThis.URL('../../../src/core/model.ts', import.meta.url),
      'utf8',
    );
    const union = /export type AttemptErrorCode =([^;]+);/.exec(model)?.[1] ?? '';
    const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code as string).sort();
    expect(codes.length).toBeGreaterThan(10);
    expect(Object.keys(ERROR_RULES).sort()).toEqual(codes);
    expect([...new Set(ERRORS.map(([code]) => code))].sort()).toEqual(codes);
    const page = readFileSync(new globalThis.URL('../../../docs/api.md', import.meta.url), 'utf8');
    for (const code of codes) expect(page).toContain(`\`${code}\``);
  });

  test('every reason of a failed TLS handshake is understood', () => {
    const source = readFileSync(
      new globalThis.URL('../../../src/delivery/network/connection-error.ts', import.meta.url),
      'utf8',
    );
    const table = /const TLS_BY_CODE[^{]+\{([^}]+)\}/.exec(source)?.[1] ?? '';
    const reasons = [...table.matchAll(/: '([^']+)'/g)].map(([, reason]) => reason as string);
    expect(reasons.length).toBeGreaterThan(10);
    for (const reason of reasons) {
      const { suggestion } = diagnose([
        failedWith('tls_error', `TLS handshake failed: ${reason}.`),
      ]);
      // Each answer has the steps look, mend and replay; an unknown reason has no
      // second step.
      expect(suggestion, reason).toContain('3. ');
    }
  });
});

const STATUSES: [number, diagnosis: string, suggestion: string][] = [
  [301, 'never follows', '^location'],
  [302, 'login page', 'hookrelay destinations edit ep_1 dst_1 --new-url'],
  [304, 'redirect (304)', 'curl -sI'],
  [400, 'misses a field', 'jq -r'],
  [401, 'does not verify', 'hookrelay destinations rotate-secret ep_1 dst_1'],
  [403, 'firewall or bot protection', 'let this path through'],
  [404, 'nothing at that path', 'curl -i -m 10 -X POST'],
  [405, 'does not take POST', 'trailing slash'],
  [408, 'gave up', 'read timeout'],
  [409, 'has the event already', 'processed before'],
  [410, 'without retries', 'hookrelay destinations remove ep_1 dst_1'],
  [413, '195.3 KB', 'client_max_body_size'],
  [415, 'text/csv', 'raw body'],
  [418, 'rejects the request', 'hookrelay trigger --from-event evt_1'],
  [421, 'not responsible', 'curl -v'],
  [422, 'a wrong type or value', 'hookrelay ai schema evt_1'],
  [425, 'early data', 'hookrelay deliveries retry dlv_1'],
  [429, 'Retry-After', 'queue the work'],
  [500, 'own code threw', 'x-hookrelay-delivery'],
  [501, 'does not implement POST', 'correct the URL'],
  [502, 'no valid answer', "proxy's error log"],
  [503, 'not available', 'curl -i'],
  [504, 'too slow', 'proxy_read_timeout'],
  [522, 'Cloudflare', 'origin'],
  [999, 'only 2xx is', '200 or 204'],
];

describe('every status other than success', () => {
  test.each(STATUSES)('%i', (status, inDiagnosis, inSuggestion) => {
    const { diagnosis, suggestion } = diagnose([answered(status)]);
    expect(diagnosis).toContain(inDiagnosis);
    expect(suggestion).toContain(inSuggestion);
  });

  test('every status has a cause and a step', () => {
    for (let status = 300; status < 600; status++) {
      const { diagnosis, suggestion } = diagnose([answered(status)]);
      expect(diagnosis).toContain(String(status));
      expect(suggestion).toContain('1. ');
    }
  });

  test('an unsigned destination that wants a signature gets the step to sign it', () => {
    const destinations = [destination({ isSigned: false, createdAt: 0 })];
    const { suggestion } = diagnose([answered(401)], { destinations });
    expect(suggestion).toContain('no signing secret');
    expect(suggestion).toContain('--generate-secret');
  });
});

const later = (number: number, minutes: number): Partial<CaseAttempt> => ({
  number,
  attemptedAt: START + minutes * 60 * SECOND,
});

function neighbour(minutes: number, isSuccess: boolean, parts: Partial<Neighbour> = {}): Neighbour {
  return {
    destinationId: 'dst_1',
    attemptedAt: START + minutes * 60 * SECOND,
    durationMs: 100,
    isSuccess,
    size: 1000,
    ...parts,
  };
}

describe('patterns over time', () => {
  test('always the same failure', () => {
    const { diagnosis } = diagnose([
      answered(500),
      answered(500, later(2, 1)),
      answered(500, later(3, 5)),
    ]);
    expect(diagnosis).toContain('All 3 attempts over 5 min failed alike');
    expect(diagnosis).toContain('#3 at 2026-11-21 09:05:00 UTC: 500');
  });

  test('different failures', () => {
    const { diagnosis } = diagnose([answered(503), failedWith('reset', 'x', later(2, 1))]);
    expect(diagnosis).toContain('in different ways (503, reset)');
  });

  test('failures since a moment', () => {
    const neighbours = [neighbour(-30, true), neighbour(-20, true), neighbour(-10, false)];
    const { diagnosis } = diagnose([answered(500)], { neighbours });
    expect(diagnosis).toContain(
      'worked until 2026-11-21 08:40:00 UTC and has failed since 2026-11-21 08:50:00 UTC, for 2 attempts',
    );
  });

  test('success once, then failure at the replay', () => {
    const { diagnosis } = diagnose([
      answered(200),
      answered(404, { ...later(1, 9), trigger: 'replay' }),
    ]);
    expect(diagnosis).toContain('took this event before (attempt #1 at 2026-11-21 09:00:00 UTC)');
    expect(diagnosis).toContain('(replay)');
  });

  test('intermittent failure', () => {
    const neighbours = [
      neighbour(-3, true),
      neighbour(-2, false),
      neighbour(-1, true),
      neighbour(1, false),
    ];
    const event = { ...caseOf([]).event, size: 900 };
    const { diagnosis } = diagnose([answered(500)], { neighbours, event });
    expect(diagnosis).toContain('2 attempts for other events succeeded, and 2 in between failed');
  });

  test('the destination never took an event', () => {
    const neighbours = [neighbour(-3, false), neighbour(-2, false)];
    const { diagnosis } = diagnose([answered(500)], { neighbours });
    expect(diagnosis).toContain('the destination is at fault, not this event');
  });

  test('only this event fails', () => {
    const event = { ...caseOf([]).event, size: 900 };
    const neighbours = [neighbour(-3, true), neighbour(2, true)];
    const { diagnosis } = diagnose([answered(500)], { neighbours, event });
    expect(diagnosis).toMatch(/something about this event|has taken other events/);
  });

  test('only large bodies fail', () => {
    const neighbours = [
      neighbour(-3, true),
      neighbour(-2, true),
      neighbour(-1, false, { size: 90_000 }),
    ];
    const { diagnosis, suggestion } = diagnose([answered(413)], { neighbours });
    expect(diagnosis).toContain(
      'Only large bodies fail: this one has 195.3 KB, and the largest that succeeded had 1000 B',
    );
    expect(suggestion).toContain('Compare body limits');
  });

  test('the destination has recovered', () => {
    const { diagnosis, suggestion } = diagnose([answered(503), answered(200, later(2, 1))], {
      deliveries: [delivery({ state: 'succeeded', nextAttemptAt: null })],
    });
    expect(diagnosis).toContain('Nothing is wrong');
    expect(diagnosis).toContain('attempt #2 at 2026-11-21 09:01:00 UTC succeeded after 1 failure');
    expect(suggestion).toContain('hookrelay replay evt_1');
  });

  test('the destination is slow', () => {
    const { diagnosis, suggestion } = diagnose([answered(200, { durationMs: 8200 })]);
    expect(diagnosis).toContain('the slowest took 8.2 s of 10 s');
    expect(suggestion).toContain('answer first');
  });

  test('other destinations’ neighbours are not counted', () => {
    const neighbours = [neighbour(-3, true, { destinationId: 'dst_2' })];
    const { diagnosis } = diagnose([answered(500)], { neighbours });
    expect(diagnosis).not.toContain('other');
  });
});

test.each(['http://127.0.0.1:3000/', 'http://[::1]:3000/', 'http://app.localhost:3000/'])(
  'a connection refused on this machine, %s, names the loopback address',
  (destinationUrl) => {
    const refused = failedWith('connect_refused', 'The connection was refused.', {
      destinationUrl,
    });
    const { diagnosis } = diagnose([refused]);
    expect(diagnosis).toContain("nothing listens on port 3000 of this server's own machine");
    expect(diagnosis).not.toContain('only on its own loopback address');
  },
);

describe('patterns over destinations', () => {
  const second = (url = 'https://two.example.com/') => ({
    deliveryId: 'dlv_2',
    destinationId: 'dst_2',
    destinationUrl: url,
  });

  test('one of two fails', () => {
    const { diagnosis } = diagnose([answered(200), answered(500, second())]);
    expect(diagnosis).toContain('1 of 2 destinations fails; the other took the event');
    expect(diagnosis).toContain('two.example.com');
    expect(diagnosis).not.toContain('attempts to https://shop');
  });

  test('one of three fails', () => {
    const third = { destinationId: 'dst_3', deliveryId: 'dlv_3' };
    const { diagnosis } = diagnose([answered(200), answered(200, third), answered(500, second())]);
    expect(diagnosis).toContain('1 of 3 destinations fails; the others took the event');
  });

  test('all fail alike on different hosts', () => {
    const message = 'The name does not resolve.';
    const { diagnosis } = diagnose([
      failedWith('dns_error', message),
      failedWith('dns_error', message, second()),
    ]);
    expect(diagnosis).toContain('Both destinations fail, alike (dns_error)');
    expect(diagnosis).toContain("this server's network and DNS");
  });

  test('each fails in its own way', () => {
    const { diagnosis } = diagnose([answered(500), answered(404, second())]);
    expect(diagnosis).toContain('each in its own way (500 and 404)');
  });

  test('of very many failures, the first are shown', () => {
    const attempts = Array.from({ length: 40 }, (_, i) =>
      answered(500, { ...second(`https://h${i}.example.com/`), destinationId: `dst_${i}` }),
    );
    const { diagnosis, suggestion } = diagnose(attempts);
    expect(diagnosis).toContain('All 40 destinations fail, alike (500)');
    expect(diagnosis).toContain('35 further destinations failed');
    expect(suggestion.split('\n').length).toBeLessThanOrEqual(10);
  });
});

describe('the next step of a delivery', () => {
  test('is the next attempt', () => {
    expect(diagnose([answered(500)]).diagnosis).toContain(
      'next attempt is due 2026-11-21 09:01:00 UTC',
    );
  });
  test('is nothing when it is dead', () => {
    const deliveries = [delivery({ state: 'dead', attempts: 8, nextAttemptAt: null })];
    expect(diagnose([answered(500)], { deliveries }).diagnosis).toContain('dead after 8 attempts');
  });
  test('is nothing when it is cancelled or its destination is removed', () => {
    const deliveries = [delivery({ state: 'cancelled', nextAttemptAt: null })];
    expect(diagnose([answered(500)], { deliveries }).diagnosis).toContain('was cancelled');
    const gone = diagnose([answered(500)], { deliveries: [], destinations: [] });
    expect(gone.diagnosis).toContain('has been removed since');
  });
});

describe('an event without an attempt', () => {
  const untried = (parts: Partial<Case> = {}) => diagnose([], parts);

  test('has no destination', () => {
    const { diagnosis, suggestion } = untried({ destinations: [] });
    expect(diagnosis).toContain('its endpoint has no destination');
    expect(suggestion).toContain('hookrelay destinations add ep_1');
    expect(suggestion).toContain('hookrelay replay evt_1');
  });

  test('has a destination that came later', () => {
    const destinations = [destination({ createdAt: START + 1 })];
    const { diagnosis, suggestion } = untried({ destinations });
    expect(diagnosis).toContain('had none of its 1 destination yet');
    expect(suggestion).toContain('hookrelay replay evt_1');
  });

  test('waits for its turn', () => {
    const deliveries = [delivery({ attempts: 0, nextAttemptAt: START + 29 * SECOND })];
    const { diagnosis, suggestion } = untried({ deliveries });
    expect(diagnosis).toContain('1 delivery (https://shop.example.com/hooks) waits');
    expect(suggestion).toContain('hookrelay events attempts evt_1');
  });

  test('is overdue', () => {
    const deliveries = [delivery({ attempts: 0, nextAttemptAt: START - 600 * SECOND })];
    const { diagnosis, suggestion } = untried({ deliveries });
    expect(diagnosis).toContain('due for 11 min');
    expect(suggestion).toContain('hookrelay doctor');
  });

  test('was dropped by the filters of all destinations', () => {
    const deliveries = [delivery({ attempts: 0, state: 'filtered', nextAttemptAt: null })];
    const { diagnosis, suggestion } = untried({ deliveries });
    expect(diagnosis).toContain('has a filter that dropped it');
    expect(diagnosis).not.toContain('cancelled');
    expect(suggestion).toContain('hookrelay rules try ep_1 --destination dst_1 --event evt_1');
  });

  test('was superseded', () => {
    const deliveries = [delivery({ attempts: 0, state: 'cancelled', nextAttemptAt: null })];
    const { diagnosis, suggestion } = untried({ deliveries });
    expect(diagnosis).toContain('cancelled before the first one');
    expect(suggestion).toContain('hookrelay replay evt_1');
  });

  test('belongs to a paused endpoint', () => {
    const endpoint = { id: 'ep_1', isActive: false };
    const { diagnosis, suggestion } = untried({ destinations: [], endpoint });
    expect(diagnosis).toContain('paused');
    expect(suggestion).toContain('hookrelay endpoints resume ep_1');
  });
});

describe('text from destinations is not trusted', () => {
  test('control characters and length are cut', () => {
    const responseBody = `\u001b[31mbad\u202e\r\n${'x'.repeat(16_000)}`;
    const { diagnosis } = diagnose([answered(500, { responseBody })]);
    expect(diagnosis).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(diagnosis).toContain('It answered "[31mbad');
    expect(diagnosis.length).toBeLessThan(1500);
  });

  test('a page of HTML is quoted by its words', () => {
    const responseBody =
      '<!doctype html><style>p{}</style><title>Down</title><p>We are <b>down</b>';
    const { diagnosis } = diagnose([answered(503, { responseBody })]);
    expect(diagnosis).toContain('It answered "Down We are down"');
  });

  test('a URL that a shell would run is quoted', () => {
    const destinationUrl = "https://a;$(id)'.example.com/x'y";
    const { suggestion } = diagnose([failedWith('dns_error', 'x', { destinationUrl })]);
    expect(suggestion).toContain("dig +short 'a;$(id)'\\''.example.com' A");
  });
});

test('a failed sender is named, with the step that its 401 would have', () => {
  const attempts = [answered(400)];
  const plain = caseOf(attempts);
  const { says, hint } = failureText('body_reserialized');
  const failure = { reason: 'body_reserialized' as const, says, hint };
  const found = diagnoseEvent({ ...plain, event: { ...plain.event, failure } });
  expect(found.diagnosis).toContain(`this event's sender (body_reserialized): ${says}.`);
  expect(found.suggestion).toContain(hint);
  expect(diagnoseEvent(plain).diagnosis).not.toContain('sender (');
});
