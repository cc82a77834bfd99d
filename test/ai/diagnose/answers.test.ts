import { describe, expect, test } from 'vitest';
import type { Case } from '../../../src/ai/diagnose/case.ts';
import { ANSWERS, type Expected, PAGE } from './answer-table.ts';
import { answered, caseOf, destination, diagnose, failedWith, START, URL } from './cases.ts';
import { INNER_ANSWERS } from './inner-answers.ts';
import { PROVIDER_ANSWERS, signatureOf } from './provider-answers.ts';

function diagnoseAnswer(status: number, body: string, expected: Expected) {
  const { provider = null, isSigned = false, headers = [], url = URL, after = 0 } = expected;
  const parts: Partial<Case> = {
    event: { ...caseOf([]).event, path: '', provider, signature: signatureOf(expected) },
    destinations: [
      destination({ url, isSigned, settings: { sign_as: expected.signAs ? 'provider' : null } }),
    ],
  };
  const made = answered(status, {
    responseBody: body,
    responseHeaders: headers,
    destinationUrl: url,
    attemptedAt: START + after * 60_000,
  });
  return diagnose([made], parts);
}

describe('a known answer is understood', () => {
  test.each([...ANSWERS, ...PROVIDER_ANSWERS, ...INNER_ANSWERS])(
    '%s',
    (_, status, body, expected) => {
      const { diagnosis, suggestion } = diagnoseAnswer(status, body, expected);
      for (const text of expected.says) expect(diagnosis).toContain(text);
      for (const text of expected.suggests) expect(suggestion).toContain(text);
      const places = (expected.ordered ?? []).map((text) => suggestion.indexOf(text));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      for (const text of expected.never ?? [])
        expect(`${diagnosis}\n${suggestion}`).not.toContain(text);
    },
  );
});

describe('other answers are not mistaken for known ones', () => {
  test.each([
    [401, '{"error":"jwt: Signature has expired"}', 'late by design'],
    [400, '{"error":"the order has no token field"}', 'wants credentials'],
    [500, '{"error":"FUNCTION_ERROR"}', 'Vercel'],
    [422, '{"error":"card expired"}', 'late by design'],
    [503, PAGE('Back soon'), 'Cloudflare'],
  ])('%i %s', (status, body, never) => {
    const { diagnosis } = diagnoseAnswer(status, body, { says: [], suggests: [] });
    expect(diagnosis).not.toContain(never);
  });
});

describe('an event with a sub-path', () => {
  test('the suggested destination is without the sub-path', () => {
    const { suggestion } = diagnose(
      [
        answered(301, {
          responseHeaders: [['Location', 'https://www.shop.example.com/hooks/a/b']],
        }),
      ],
      { event: { ...caseOf([]).event, path: '/a/b' } },
    );
    expect(suggestion).toContain("edit ep_1 dst_1 --new-url 'https://www.shop.example.com/hooks'");
  });
});

describe('a tunnel whose name no longer exists', () => {
  test('is diagnosed as a tunnel', () => {
    const destinationUrl = 'https://brave-fox.trycloudflare.com/hook';
    const { diagnosis, suggestion } = diagnose([
      failedWith('dns_error', 'The name does not resolve.', { destinationUrl }),
    ]);
    expect(diagnosis).toContain("It is a tunnel's, and the tunnel is gone");
    expect(suggestion).toContain('hookrelay listen 3000 --endpoint ep_1');
  });
});

describe.each([443, 8443])('http: to port %i', (port) => {
  test.each(['reset', 'invalid_response'] as const)('is diagnosed by %s', (code) => {
    const destinationUrl = `http://shop.example.com:${port}/a`;
    const { diagnosis, suggestion } = diagnose([failedWith(code, 'x', { destinationUrl })]);
    expect(diagnosis).toContain('most likely speaks TLS');
    expect(suggestion).toContain(`'https://shop.example.com:${port}/a'`);
  });
});

describe('whether waiting can help', () => {
  const thrice = (make: (number: number) => ReturnType<typeof answered>) =>
    diagnose([1, 2, 3].map(make)).diagnosis;
  const NO = 'waiting alone will hardly help';

  test.each([400, 401, 403, 404, 405, 413, 422, 301, 501])('%i: it can’t', (status) => {
    expect(thrice((number) => answered(status, { number }))).toContain(NO);
  });
  test.each([408, 409, 425, 429, 500, 502, 503, 504, 521])('%i: it can', (status) => {
    const diagnosis = thrice((number) => answered(status, { number }));
    expect(diagnosis).toContain('All 3 attempts');
    expect(diagnosis).not.toContain(NO);
  });
  test.each([
    ['tls_error', 'TLS handshake failed: certificate has expired.'],
    ['blocked_address', 'The address is not public.'],
    ['dns_error', 'The name does not resolve.'],
  ] as const)('%s, %s: it can’t', (code, message) => {
    expect(thrice((number) => failedWith(code, message, { number }))).toContain(NO);
  });
  test.each([
    ['timeout', 'No response after 10000 ms.'],
    ['connect_refused', 'The connection was refused.'],
    ['reset', 'The connection was closed.'],
    ['dns_error', 'The name could not be resolved (EAI_AGAIN).'],
    ['tls_error', 'TLS handshake failed: the connection was closed.'],
  ] as const)('%s, %s: it can', (code, message) => {
    expect(thrice((number) => failedWith(code, message, { number }))).not.toContain(NO);
  });
});

describe('a body that does not end', () => {
  test('after a failure, keeps the failure’s diagnosis', () => {
    const error = {
      code: 'timeout' as const,
      message: 'The response was not complete after 10000 ms.',
    };
    const { diagnosis } = diagnose([
      answered(500, { error, responseTruncated: true, durationMs: 10_000 }),
    ]);
    expect(diagnosis).toContain('own code threw');
    expect(diagnosis).toContain('not complete after 10 s');
    expect(diagnosis).not.toContain('close to the deadline');
  });

  test('after a redirect, is diagnosed as a redirect', () => {
    const error = {
      code: 'timeout' as const,
      message: 'The response was not complete after 10000 ms.',
    };
    const { diagnosis } = diagnose([answered(301, { error, durationMs: 10_000 })]);
    expect(diagnosis).toContain('redirect (301)');
  });

  test('after a 200, is diagnosed as a failure to finish', () => {
    const { diagnosis, suggestion } = diagnose(
      [answered(200, { responseTruncated: true, durationMs: 10_000 })],
      { deliveries: [] },
    );
    expect(diagnosis).toContain('did not end within 10 s');
    expect(diagnosis).not.toContain('close to the deadline');
    expect(suggestion).toContain('End the response');
  });
});

describe('a 200 whose body reports a failure', () => {
  test.each([
    '{"ok":false}',
    '{"ok":false,"error":"channel_not_found"}',
    '{"success": false}',
    '{"error":"boom"}',
    '{"statusCode":500,"body":"x"}',
  ])('%s is reported', (responseBody) => {
    const { diagnosis, suggestion } = diagnose([answered(200, { responseBody })], {
      deliveries: [],
    });
    expect(diagnosis).toContain('Its body says that it failed');
    expect(diagnosis).not.toContain('Nothing is wrong');
    expect(suggestion).toContain('4xx or 5xx');
  });

  test.each(['{"ok":true}', 'ok', '{"error":null}', '{"error":""}', 'null', '[]', '{"ok":fal'])(
    '%s is not reported',
    (responseBody) => {
      const { diagnosis } = diagnose([answered(200, { responseBody })], { deliveries: [] });
      expect(diagnosis).toContain('Nothing is wrong');
    },
  );
});
