import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SourceSettings } from '../../../src/core/proof/source.ts';
import { proofOf } from '../../../src/providers/own-sources/proof-of.ts';
import { prove } from '../../../src/providers/prove.ts';
import { providerOf } from '../../../src/providers/providers.ts';
import { otherUrls } from '../../../src/providers/reasons/other-urls.ts';
import { rightOtherwise } from '../../../src/providers/reasons/right-otherwise.ts';
import type { Proof } from '../../../src/providers/signing/proof.ts';
import type { SignedRequest } from '../../../src/providers/signing/signed-request.ts';
import { ALL_VECTORS } from '../all-vectors.ts';

/* Why a signature doesn't fit: it is right for another URL, or for another spelling of the body. */

const AT = Date.parse('2026-03-14T09:26:53Z');
const SECRET = 'secret of the sender';
const ASKED = { publicToken: 'tok', path: '/a', query: 'q=1', rawHeaders: ['Host', 'in.example'] };

function requestOf(one: Partial<SignedRequest>): SignedRequest {
  const none = { method: 'POST', urls: [], query: '', rawHeaders: [], body: Buffer.alloc(0) };
  return { ...none, receivedAt: AT, ...one };
}

/** A body whose sender has signed another one, at GitHub. */
function signedAs(signed: string | Buffer, came: string | Buffer, secret = SECRET) {
  const signature = createHmac('sha256', secret).update(signed).digest('hex');
  return requestOf({
    rawHeaders: ['X-Hub-Signature-256', `sha256=${signature}`],
    body: Buffer.from(came as string),
  });
}

const GITHUB = providerOf('github')?.proof as Proof;

describe('the URL', () => {
  const WITH_URL = ALL_VECTORS.flatMap(({ provider, vectors }) =>
    vectors
      .filter(({ ignoresUrl }) => providerOf(provider)?.proof?.coversUrl && !ignoresUrl)
      .map((vector) => ({ provider, vector, title: `${provider} ${vector.name ?? ''}` })),
  );

  test('of every provider that signs one', () => {
    const names = [...new Set(WITH_URL.map(({ provider }) => provider))].sort();
    expect(names).toEqual(
      expect.arrayContaining(['contentful', 'hubspot', 'mandrill', 'square', 'trello', 'twilio']),
    );
  });

  test.each(WITH_URL)('$title: a request for another URL of ours', ({ provider, vector }) => {
    const url = vector.url ?? 'https://hooks.example.com/in/k3jd9?shop=1';
    const method = vector.method ?? 'POST';
    const sent = vector.sign(
      { method, url, body: Buffer.from(vector.body), at: AT },
      vector.secret,
    );
    const right = sent.url ?? url;
    const wrong = `${right.replace('/in/', '/in/other-')}`;
    const request = requestOf({
      method,
      urls: [wrong === right ? 'https://wrong.example/x' : wrong],
      query: new URL(right).search.slice(1),
      rawHeaders: [...(vector.headers ?? []), ...sent.headers].flat(),
      body: sent.body ?? Buffer.from(vector.body),
    });
    const source = { provider, enforce: false, url: null, in: null, scheme: null };
    const failed = prove(source, [vector.secret], request);
    expect(failed).toMatchObject({ state: 'failed', reason: 'signature_mismatch' });

    const proof = providerOf(provider)?.proof as Proof;
    const urls = ['https://elsewhere.example/', right];
    const secrets = [vector.otherSecret, vector.secret];
    expect(rightOtherwise(proof, secrets, request, urls)).toEqual({
      reason: 'url_mismatch',
      url: right,
    });
    expect(rightOtherwise(proof, [vector.otherSecret], request, urls)).toBeNull();
  });

  test('of a custom signature', () => {
    const scheme = {
      ...{ signature: 'header.x-sig', form: '{hex}', algorithm: 'hmac-sha256' as const },
      ...{ signed: '{url} {body}', timestamp: null, toleranceMs: 1000 },
    };
    const source = { provider: 'custom', enforce: false, url: null, in: null, scheme };
    const proof = proofOf(source) as Proof;
    const right = 'http://in.example/in/tok';
    const signature = createHmac('sha256', SECRET).update(`${right} {}`).digest('hex');
    const rawHeaders = ['X-Sig', signature];
    const request = requestOf({
      urls: ['https://x.example/'],
      rawHeaders,
      body: Buffer.from('{}'),
    });
    expect(rightOtherwise(proof, [SECRET], request, [right])?.reason).toBe('url_mismatch');
  });

  test.each([
    ['the other scheme', 'http://hooks.example/in/tok/a?q=1'],
    ['the Host that the request names', 'https://in.example/in/tok/a?q=1'],
    ['a last slash', 'https://hooks.example/in/tok/a/?q=1'],
    ['no query', 'https://hooks.example/in/tok/a'],
    ['the port of the scheme', 'https://hooks.example:443/in/tok/a?q=1'],
  ])('may be one with %s', (_what, url) => {
    const tried = ['https://hooks.example/in/tok/a?q=1'];
    const urls = otherUrls(ASKED, null, 'https://hooks.example', tried);
    expect(urls).toContain(url);
    expect(urls).not.toContain(tried[0]);
    expect(urls.length).toBeLessThanOrEqual(48);
  });

  test('may be the capture URL where another is registered, and that one as it stands', () => {
    const registered = 'https://shop.example/hooks/';
    const urls = otherUrls(ASKED, registered, 'http://127.0.0.1:8080', []);
    expect(urls).toContain(registered);
    expect(urls).toContain('http://shop.example/hooks?q=1');
    expect(urls).toContain('http://127.0.0.1:8080/in/tok/a?q=1');
    expect(urls).toContain('https://127.0.0.1/in/tok/a?q=1');
  });

  test('has a host that the sender chose only in the form of one', () => {
    const rawHeaders = ['Host', 'a b/c?', 'X-Forwarded-Host', 'public.example, inner'];
    const urls = otherUrls({ ...ASKED, rawHeaders }, null, 'https://hooks.example', []);
    expect(urls).toContain('https://public.example/in/tok/a?q=1');
    expect(urls.every((url) => /^https?:\/\/(?:hooks|public)\.example/.test(url))).toBe(true);
  });
});

describe('the spelling of the body', () => {
  // As Python's json, PHP's json_encode and Go's encoding/json write the same document.
  const JS =
    '{"b":"Grüße 😀 </a>","a":[1.0,12345678901234567890,{"z":null,"y":[]}],"e":{},"n":-1e5}';
  const PYTHON =
    '{"b": "Gr\\u00fc\\u00dfe \\ud83d\\ude00 </a>", "a": [1.0, 12345678901234567890, {"z": null, "y": []}], "e": {}, "n": -1e5}';
  const SPELLINGS: [string, string][] = [
    ['compact', JS],
    ['Python', PYTHON],
    ['Python, ensure_ascii=False', JS.replace(/([:,])(?!\/)/g, '$1 ')],
    [
      'Python, sorted and compact',
      '{"a":[1.0,12345678901234567890,{"y":[],"z":null}],"b":"Gr\\u00fc\\u00dfe \\ud83d\\ude00 </a>","e":{},"n":-1e5}',
    ],
    [
      'Python, sorted',
      '{"a": [1.0, 12345678901234567890, {"y": [], "z": null}], "b": "Gr\\u00fc\\u00dfe \\ud83d\\ude00 </a>", "e": {}, "n": -1e5}',
    ],
    [
      'PHP, Meta',
      '{"b":"Gr\\u00fc\\u00dfe \\ud83d\\ude00 <\\/a>","a":[1.0,12345678901234567890,{"z":null,"y":[]}],"e":{},"n":-1e5}',
    ],
    ['escaped slashes', JS.replaceAll('/', '\\/')],
    ['Go', JS.replace('</a>', '\\u003c/a\\u003e')],
    ['indented', JSON.stringify({ b: 'x', a: [1, { z: null }] }, null, 2)],
    ['a line break at its end', `${JS}\n`],
    ['Python and a line break', `${PYTHON}\n`],
  ];

  test.each(SPELLINGS)('%s was signed, another one came', (_name, signed) => {
    const value = signed.startsWith('{\n') ? JSON.stringify(JSON.parse(signed)) : JS;
    const came = `  ${value}`;
    const request = signedAs(signed, came);
    expect(GITHUB.check(request, SECRET)).toBe('signature_mismatch');
    expect(rightOtherwise(GITHUB, ['no', SECRET], request, [])?.reason).toBe('body_reserialized');
    expect(rightOtherwise(GITHUB, ['no'], request, [])).toBeNull();
  });

  test.each([
    ['LF', 'a\nb\n', 'a\r\nb\r\n'],
    ['CRLF', 'a\r\nb\r\n', 'a\nb\n'],
    ['no line break at its end', 'Grüße', 'Grüße\n'],
  ])('of text with %s', (_name, signed, came) => {
    expect(rightOtherwise(GITHUB, [SECRET], signedAs(signed, came), [])).toMatchObject({
      reason: 'body_reserialized',
    });
  });

  test('that came is never tried again', () => {
    const tried: string[] = [];
    const spy: Proof = {
      ...GITHUB,
      check: ({ body }) => {
        tried.push(body.toString('latin1'));
        return 'signature_mismatch';
      },
    };
    for (const body of ['{}', '', '{"a":1}\n', 'text', '\xff\xfe']) {
      tried.length = 0;
      const came = Buffer.from(body, 'latin1');
      expect(rightOtherwise(spy, [SECRET], requestOf({ body: came }), [])).toBeNull();
      expect(tried).not.toContain(body);
      expect(new Set(tried).size).toBe(tried.length);
      expect(tried.length).toBeLessThan(40);
    }
  });

  test('another document is a forgery, and so is what is too large or too deep', () => {
    expect(rightOtherwise(GITHUB, [SECRET], signedAs('{"a":1}', '{"a":2}'), [])).toBeNull();
    const large = JSON.stringify({ text: 'x'.repeat(64 * 1024) });
    expect(rightOtherwise(GITHUB, [SECRET], signedAs(large, ` ${large}`), [])).toBeNull();
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    expect(rightOtherwise(GITHUB, [SECRET], signedAs('x', deep), [])).toBeNull();
  });

  test('indents no JSON that is nested deeper than 32 levels', () => {
    const sizes: number[] = [];
    const spy: Proof = {
      ...GITHUB,
      check: ({ body }) => {
        sizes.push(body.length);
        return 'signature_mismatch';
      },
    };
    const nested = (depth: number) => Buffer.from(`${'['.repeat(depth)}1${']'.repeat(depth)}`);
    rightOtherwise(spy, [SECRET], requestOf({ body: nested(32) }), []);
    expect(Math.max(...sizes)).toBeGreaterThan(32 * 32);
    sizes.length = 0;
    rightOtherwise(spy, [SECRET], requestOf({ body: nested(33) }), []);
    // Only with a line break.
    expect(sizes).toEqual([nested(33).length + 1]);
  });

  test('tells nothing of a token, which fits any body', () => {
    const token: SourceSettings = {
      ...{ provider: 'token', enforce: false, url: null, in: 'header.x-token', scheme: null },
    };
    const proof = proofOf(token) as Proof;
    const request = requestOf({ rawHeaders: ['X-Token', SECRET], body: Buffer.from(' {}') });
    expect(rightOtherwise(proof, [SECRET], request, ['https://x.example/'])).toBeNull();
  });
});

test('members that are signed are not tried in other spellings', () => {
  let tries = 0;
  const counting: Proof = {
    ...GITHUB,
    check() {
      tries++;
      return 'signature_mismatch';
    },
  };
  const request = requestOf({ body: Buffer.from(' {}') });
  rightOtherwise(counting, [SECRET], request, []);
  expect(tries).toBeGreaterThan(0);
  tries = 0;
  rightOtherwise({ ...counting, keyNeeded: () => null }, [SECRET], request, []);
  expect(tries).toBe(0);
});

test('the tries end where they cost too much', () => {
  let hashed = 0;
  const costly: Proof = {
    ...GITHUB,
    coversUrl: true,
    check: ({ body }) => {
      hashed += body.length;
      return 'signature_mismatch';
    },
  };
  const body = Buffer.from(JSON.stringify(Array.from({ length: 9000 }, (_, i) => i)));
  const secrets = Array.from({ length: 10 }, (_, i) => `secret ${i}`);
  const urls = Array.from({ length: 48 }, (_, i) => `https://x.example/${i}`);
  rightOtherwise(costly, secrets, requestOf({ body }), urls);
  expect(hashed).toBeLessThanOrEqual(8 * 1024 * 1024);
  expect(hashed).toBeGreaterThan(0);
});
