import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { type Account, callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

/* faults.md, "Data": what came is kept to the byte and shown for what it is. */

failOnLeaks();
const server = serverOfFile();

let account: Account;
let endpoint: EndpointAnswer;

beforeAll(async () => {
  account = await register(server);
  endpoint = await account.createEndpoint();
});

type Encoding = 'json' | 'text' | 'base64' | 'none';

interface View {
  encoding: Encoding;
  /** The body's own text within the answer. */
  spliced: string;
  answer: string;
}

/** Captures a body, checks that its bytes are kept, and returns how it is shown. */
async function viewOf(body: string | Buffer): Promise<View> {
  const bytes = Buffer.from(body);
  const id = await capture(endpoint.capture_url, bytes, {
    headers: { 'content-type': 'application/json' },
  });
  const path = `/api/endpoints/${endpoint.id}/events/${id}`;
  const raw = await account.call('GET', `${path}/raw`);
  expect(raw.body.equals(bytes)).toBe(true);
  const { status, text } = await account.call('GET', path);
  expect(status).toBe(200);
  const at = text.indexOf('"body":');
  const encoding = /"body_encoding":"(\w+)"/.exec(text)?.[1] as Encoding;
  return { encoding, spliced: text.slice(at + '"body":'.length, -1), answer: text };
}

describe('a JSON body stays as it came', () => {
  test.each([
    ...['12345678901234567890', '1.0', '1e400', '-0', '-0.0', '1E+2', '0.1e-7', '9007199254740993'],
    ...['{"a":1,"a":2}', '{"b":1,"a":2,"10":3,"9":4}', '{"__proto__":{"x":1},"constructor":null}'],
    ...['"\\u00e9\\/\\ud83d\\ude00"', '"\\ud800"', '"\\udc00\\ud800"', '{"\\ud800":"\\u0000"}'],
    ...[
      '"\u2028\u2029\u007f"',
      '"日本 😀 \ufffd"',
      ' \n\t\r {"a" :\n [ 1 , 2 ] } \r\n',
      '""',
      '{}',
    ],
    ...['[[],{},null,true,false]', '"</script><img src=x onerror=alert(1)>"', '"\\u001b[2J"'],
    ...['{"body":"x","body_encoding":"none","id":"evt_other"}', '"\\"}"', '"\\\\"'],
  ])('%j', async (body) => {
    const { encoding, spliced, answer } = await viewOf(body);
    expect(encoding).toBe('json');
    expect(spliced).toBe(body);
    // The answer is well-formed and the body is one value in it: nothing spills
    // over.
    const parsed = JSON.parse(answer);
    expect(parsed.body).toEqual(JSON.parse(body));
    expect(parsed.id).toMatch(/^evt_/);
    expect(parsed.id).not.toBe('evt_other');
  });

  test('loses its byte order mark', async () => {
    const { encoding, spliced } = await viewOf('\ufeff{"a": 1.0}');
    expect(encoding).toBe('json');
    expect(spliced).toBe('{"a": 1.0}');
    expect((await viewOf('\ufeff')).encoding).toBe('text');
  });

  test('may be nested a million deep, both ways', async () => {
    const depth = 1_000_000;
    const bodies = [
      '['.repeat(depth) + ']'.repeat(depth),
      `${'{"a":'.repeat(depth / 10)}1${'}'.repeat(depth / 10)}`,
    ];
    for (const body of bodies) {
      const { encoding, spliced } = await viewOf(body);
      expect(encoding).toBe('json');
      expect(spliced === body).toBe(true);
    }
    const unclosed = '['.repeat(depth);
    const { encoding, spliced } = await viewOf(unclosed);
    expect(encoding).toBe('text');
    expect(spliced === `"${unclosed}"`).toBe(true);
  });

  test('may have a string and a number of a megabyte', async () => {
    for (const body of [`"${'é'.repeat(500_000)}"`, '9'.repeat(1_000_000)]) {
      const { encoding, spliced } = await viewOf(body);
      expect(encoding).toBe('json');
      expect(spliced === body).toBe(true);
    }
  });
});

describe('a body that is no JSON', () => {
  test('is null when it is empty', async () => {
    const { encoding, spliced } = await viewOf('');
    expect([encoding, spliced]).toEqual(['none', 'null']);
  });

  test.each([
    ...['hello', 'a=b&c=d', '<?xml version="1.0"?><a/>', '\0', 'a\0b', '\x1b[31mred', '\r\n', ' '],
    ...['"', '\\', '"}', '\u2028', '\ufeff{', '日本', "{'a':1}", '{"a":1}\0', '\ufffe\uffff'],
  ])('is a string when it is text: %j', async (body) => {
    const { encoding, answer } = await viewOf(body);
    expect(encoding).toBe('text');
    expect(JSON.parse(answer).body).toBe(body);
    // No answer has raw line breaks or escapes.
    expect([...answer].some((c) => c < ' ')).toBe(false);
  });

  test.each<[string, number[]]>([
    ['a lone continuation byte', [0x80]],
    ['a lone lead byte', [0x22, 0xc3, 0x22]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['past U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['Latin-1 in JSON', [...Buffer.from('{"a":"\xe9"}', 'latin1')]],
    ['UTF-16', [...Buffer.from('\ufeff{"a":1}', 'utf16le')]],
    ['gzip', [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]],
    ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
    ['0xff', [0xff]],
  ])('is base64 when it is %s', async (_name, bytes) => {
    const { encoding, answer } = await viewOf(Buffer.from(bytes));
    expect(encoding).toBe('base64');
    expect(Buffer.from(JSON.parse(answer).body, 'base64')).toEqual(Buffer.from(bytes));
  });
});

/*
 * In the manner of JSONTestSuite: y_ must be JSON, n_ must not, and i_ may be
 * either (RFC 8259 leaves it open), but is kept and shown all the same.
 */
const SUITE: [string, string | Buffer][] = [
  ['y_array_with_several_null', '[1,null,null,null,2]'],
  ['y_array_empty_string', '[""]'],
  ['y_array_ending_with_newline', '["a"]\n'],
  ['y_number_0e+1', '[0e+1]'],
  ['y_number_0e1', '[0e1]'],
  ['y_number_minus_zero', '[-0]'],
  ['y_number_negative_int', '[-123]'],
  ['y_number_real_capital_e', '[1E22]'],
  ['y_number_real_fraction_exponent', '[123.456e78]'],
  ['y_number_double_close_to_zero', `[-0.${'0'.repeat(77)}1]`],
  ['y_object_empty_key', '{"":0}'],
  ['y_object_duplicated_key_and_value', '{"a":"b","a":"b"}'],
  ['y_object_escaped_null_in_key', '{"foo\\u0000bar": 42}'],
  ['y_object_long_strings', `{"x":[{"id":"${'x'.repeat(40)}"}],"id":"${'x'.repeat(40)}"}`],
  ['y_string_accepted_surrogate_pair', '["\\ud801\\udc37"]'],
  ['y_string_allowed_escapes', '["\\"\\\\\\/\\b\\f\\n\\r\\t"]'],
  ['y_string_backslash_and_u_escaped_zero', '["\\\\u0000"]'],
  ['y_string_comments', '["a/*b*/c/*d//e"]'],
  ['y_string_nonCharacterInUTF-8_U+FFFF', '["\uffff"]'],
  ['y_string_u+2028_line_sep', '["\u2028"]'],
  ['y_string_unescaped_char_delete', '["\x7f"]'],
  ['y_structure_lonely_string', '"asd"'],
  ['y_structure_lonely_true', 'true'],
  ['y_structure_whitespace_array', ' [] '],
  ['n_array_1_true_without_comma', '[1 true]'],
  ['n_array_comma_after_close', '[""],'],
  ['n_array_double_extra_comma', '["x",,]'],
  ['n_array_extra_close', '["x"]]'],
  ['n_array_just_minus', '[-]'],
  ['n_array_number_and_comma', '[1,]'],
  ['n_array_newlines_unclosed', '["a",\n4\n,1,'],
  ['n_incomplete_false', '[fals]'],
  ['n_number_++', '[++1234]'],
  ['n_number_-01', '[-01]'],
  ['n_number_.2e-3', '[.2e-3]'],
  ['n_number_0.e1', '[0.e1]'],
  ['n_number_1_000', '[1 000.0]'],
  ['n_number_hex_1_digit', '[0x1]'],
  ['n_number_infinity', '[Infinity]'],
  ['n_number_NaN', '[NaN]'],
  ['n_number_U+FF11_fullwidth_digit_one', '[\uff11]'],
  ['n_object_bad_value', '["x", truth]'],
  ['n_object_missing_colon', '{"a" b}'],
  ['n_object_single_quote', "{'a':0}"],
  ['n_object_trailing_comment', '{"a":"b"}/**/'],
  ['n_object_unquoted_key', '{a: "b"}'],
  ['n_object_with_trailing_garbage', '{"a": true} "x"'],
  ['n_single_space', ' '],
  ['n_string_1_surrogate_then_escape_u1', '["\\uD800\\u1"]'],
  ['n_string_backslash_00', '["\\\0"]'],
  ['n_string_escape_x', '["\\x00"]'],
  ['n_string_unescaped_newline', '["new\nline"]'],
  ['n_string_unescaped_tab', '["\t"]'],
  ['n_structure_angle_bracket', '<.>'],
  ['n_structure_no_data_but_bom', '\ufeff'],
  ['n_structure_null-byte-outside-string', '[\0]'],
  ['n_structure_unclosed_array_partial_null', '[ false, nul'],
  ['n_structure_unicode_identifier', 'å'],
  ['n_structure_whitespace_formfeed', '[\f]'],
  ['n_structure_U+2060_word_joined', '[\u2060]'],
  ['n_structure_open_array_object', '[{"":'.repeat(50_000)],
  ['i_number_huge_exp', '[0.4e006699999999999999999999999999999999]'],
  ['i_number_neg_int_huge_exp', '[-1e+9999]'],
  ['i_object_key_lone_2nd_surrogate', '{"\\uDFAA":0}'],
  ['i_string_incomplete_surrogates_escape_valid', '["\\uD800\\uD800\\n"]'],
  ['i_string_inverted_surrogates_U+1D11E', '["\\uDd1e\\uD834"]'],
  ['i_string_invalid_utf-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])],
  [
    'i_string_UTF-8_invalid_sequence',
    Buffer.from([0x5b, 0x22, 0xe6, 0x97, 0xa5, 0xd1, 0x88, 0xfa, 0x22, 0x5d]),
  ],
  ['i_string_UTF-16LE_with_BOM', Buffer.from('\ufeff["é"]', 'utf16le')],
  ['i_structure_500_nested_arrays', '['.repeat(500) + ']'.repeat(500)],
  ['i_structure_UTF-8_BOM_empty_object', '\ufeff{}'],
];

test.each(SUITE)('%s', async (name, body) => {
  const { encoding, answer } = await viewOf(body);
  if (name.startsWith('y_')) expect(encoding).toBe('json');
  else if (name.startsWith('n_')) expect(encoding).not.toBe('json');
  expect(JSON.parse(answer)).toHaveProperty('body');
});

describe('hostile headers in the view', () => {
  test('__proto__ and the like are plain names', async () => {
    const id = await capture(endpoint.capture_url, '{}', {
      // As a key, because `__proto__: '1'` would be neither a header nor a
      // property.
      headers: { ['__proto__']: '1', constructor: '2', 'x-html': '<b>"\'&' },
    });
    const event = await account.event(endpoint, id);
    expect(Object.getOwnPropertyDescriptor(event.headers, '__proto__')?.value).toBe('1');
    expect(event.raw_headers).toContainEqual(['__proto__', '1']);
    expect(event.headers.constructor).toBe('2');
    expect(event.headers['x-html']).toBe('<b>"\'&');
    expect(event.headers.hasOwnProperty).toBe(Object.prototype.hasOwnProperty);
  });
});

describe('q', () => {
  const BODIES: Record<string, string | Buffer> = {
    quote: 'say "abc" now',
    star: '4 * 5',
    words: 'foo OR bar',
    colon: 'x:"y"',
    minus: 'a -x b',
    percent: '100%',
    underscore: 'a_b',
    plain: 'aXb foobar',
    slash: 'back\\slash',
    escaped: '{"a":"caf\\u00e9 http:\\/\\/x \\ud83d\\ude00 tab\\there"}',
    accented: 'café',
    japanese: '日本語のテキスト',
    emoji: 'hi 😀👩‍👩‍👧',
    nul: 'a\0b',
    caret: '^abc$ (x) [y] {z} ~ NEAR/2',
    sql: "'; DROP TABLE events; --",
    bytes: Buffer.from([0xff, 0xfe, 0x61, 0x62, 0x63, 0x7a, 0x7a]),
    newline: 'one\r\ntwo',
  };
  let own: EndpointAnswer;
  const nameOf = new Map<string, string>();

  beforeAll(async () => {
    own = await account.createEndpoint();
    // With so many events the search uses the index and not a scan.
    const others = Array.from({ length: 400 }, (_, i) => `ZZ${i}ZZ`);
    await Promise.all(others.map((other) => capture(own.capture_url, other)));
    for (const [name, body] of Object.entries(BODIES)) {
      nameOf.set(await capture(own.capture_url, body), name);
    }
    await until('all is indexed', async () => {
      const { text } = await callApi(server, 'GET', '/metrics');
      return /^hookrelay_search_index_lag_events 0$/m.test(text);
    });
  });

  const find = async (q: string) => {
    const { data, total } = await account.list(own, `?q=${encodeURIComponent(q)}`);
    expect(total).toBe(data.length);
    return data.map(({ id }) => nameOf.get(id)).sort();
  };

  test.each<[string, string[]]>([
    ['"abc', ['quote']],
    ['"', ['colon', 'escaped', 'quote']],
    ['abc"', ['quote']],
    ['*', ['star']],
    ['4 *', ['star']],
    ['foo*', []],
    ['foo OR', ['words']],
    ['foo OR bar', ['words']],
    ['foo', ['plain', 'words']],
    ['oobar', ['plain']],
    ['OR', ['words']],
    ['AND', []],
    ['NOT x', []],
    ['x:"y"', ['colon']],
    ['x:', ['colon']],
    ['-x', ['minus']],
    ['%', ['percent']],
    ['a%b', []],
    ['_', ['underscore']],
    ['a_b', ['underscore']],
    ['aXb', ['plain']],
    ['AXB', []],
    ['\\', ['escaped', 'slash']],
    ['k\\s', ['slash']],
    ['é', ['accented', 'escaped']],
    ['caf\\u00e9', ['escaped']],
    ['café', ['accented', 'escaped']],
    ['e\u0301', []],
    ['http://x', ['escaped']],
    ['http:\\/\\/x', ['escaped']],
    ['tab\there', ['escaped']],
    ['日', ['japanese']],
    ['日本', ['japanese']],
    ['本語の', ['japanese']],
    ['😀', ['emoji', 'escaped']],
    ['👩‍👧', ['emoji']],
    ['\0', ['nul']],
    ['a\0b', ['nul']],
    ['b\0', []],
    ['^abc$', ['caret']],
    ['NEAR/2', ['caret']],
    ['NEAR(', []],
    ["'; DROP TABLE events; --", ['sql']],
    ["'", ['sql']],
    ['abczz', ['bytes']],
    ['one\r\ntwo', ['newline']],
    ['one\ntwo', []],
    [' ', ['caret', 'emoji', 'escaped', 'minus', 'plain', 'quote', 'sql', 'star', 'words']],
    ['{"a":"', ['escaped']],
    ['bodies MATCH', []],
    ['😀'.repeat(256), []],
    ['x'.repeat(256), []],
  ])('%j matches literally', async (q, names) => {
    expect(await find(q)).toEqual(names);
  });

  test('over 256 code points answers 400', async () => {
    for (const q of ['x'.repeat(257), '😀'.repeat(257)]) {
      const path = `/api/endpoints/${own.id}/events?q=${encodeURIComponent(q)}`;
      const { error } = expectStatus(400, await account.call('GET', path));
      expect(error.issues).toEqual([{ path: 'q', message: expect.any(String) }]);
    }
  });

  test('of a replay matches the same, and is refused alike', async () => {
    const path = `/api/endpoints/${own.id}/replay`;
    const matching = async (body: string) =>
      expectStatus(200, await account.call('POST', path, body)).matching;
    expect(await matching('{"dry_run":true,"q":"foo OR"}')).toBe(1);
    expect(await matching('{"dry_run":true,"q":""}')).toBe(400 + Object.keys(BODIES).length);
    expect(await matching('{"dry_run":true,"q":"\\ud800"}')).toBe(0);
    expect(await matching('{"dry_run":true,"q":"\\u0000"}')).toBe(1);
    for (const q of ['7', 'null', '["foo"]', '{"a":1}']) {
      expectStatus(400, await account.call('POST', path, `{"dry_run":true,"q":${q}}`));
    }
  });
});

describe('the type of an event', () => {
  const typeOf = async (body: string, headers: Record<string, string>) => {
    const id = await capture(endpoint.capture_url, body, { headers });
    return (await account.event(endpoint, id)).event_type;
  };
  const stripe = { 'stripe-signature': 't=1,v1=00' };

  test('is the one that the body names where the headers name none', async () => {
    expect(await typeOf('{"type":"invoice.paid"}', stripe)).toBe('invoice.paid');
    expect(await typeOf('{"type":7}', stripe)).toBeNull();
    expect(await typeOf('no JSON', stripe)).toBeNull();
  });

  test('is the headers’ where they name one, otherwise the body’s, also of an unknown sender', async () => {
    const github = { 'x-github-event': 'push' };
    expect(await typeOf('{"type":"invoice.paid"}', github)).toBe('push');
    expect(await typeOf('{"type":"invoice.paid"}', {})).toBe('invoice.paid');
    expect(await typeOf('{"kind":"invoice.paid"}', {})).toBeNull();
  });

  test('isn’t looked for in bodies over 256 KiB', async () => {
    const body = (size: number) => {
      const head = '{"type":"invoice.paid","pad":"';
      return `${head}${'x'.repeat(size - head.length - 2)}"}`;
    };
    expect(await typeOf(body(256 * 1024), stripe)).toBe('invoice.paid');
    expect(await typeOf(body(256 * 1024 + 1), stripe)).toBeNull();
  });
});

test('with body=false, an event comes without its body, and is otherwise the same', async () => {
  const id = await capture(endpoint.capture_url, '{"type": "a", "n": 1.0}', {
    headers: { 'content-type': 'application/json' },
  });
  for (const path of [`/api/endpoints/${endpoint.id}/events/${id}`, `/api/events/${id}`]) {
    const whole = JSON.parse((await account.call('GET', path)).text);
    const { body, body_encoding, ...head } = whole;
    expect({ body, body_encoding }).toEqual({ body: { type: 'a', n: 1 }, body_encoding: 'json' });
    expect(JSON.parse((await account.call('GET', `${path}?body=false`)).text)).toEqual(head);
    expect(JSON.parse((await account.call('GET', `${path}?body=true`)).text)).toEqual(whole);
    expect((await account.call('GET', `${path}?body=no`)).status).toBe(400);
  }
});
