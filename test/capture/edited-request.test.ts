import { describe, expect, test } from 'vitest';
import { editedRequest, type RequestEdits } from '../../src/capture/edited-request.ts';

const HEADERS = ['Host', 'a.example', 'X-Id', '1', 'x-id', '2', 'Content-Type', 'a/b'];
const LENGTH = ['content-length', '2'];

function edit(edits: RequestEdits, rawHeaders: string[] = [...HEADERS, ...LENGTH]) {
  const { body, ...rest } = editedRequest(
    {
      endpoint: { publicToken: 'token' },
      event: { id: 'evt_1', method: 'PUT', path: '/a', sourceIp: '192.0.2.1' },
      content: { query: 'b=1', rawHeaders, body: Buffer.from('{}') },
    },
    edits,
  );
  return { ...rest, body: body.copy().toString() };
}

describe('an edited request', () => {
  test('is the original where nothing is edited', () => {
    expect(edit({})).toEqual({
      publicToken: 'token',
      method: 'PUT',
      path: '/a',
      query: 'b=1',
      rawHeaders: [...HEADERS, ...LENGTH],
      contentType: 'a/b',
      sourceIp: '192.0.2.1',
      editedFrom: 'evt_1',
      body: '{}',
    });
  });

  test('has the new method, path and query', () => {
    expect(edit({ method: 'POST', path: '', query: '' })).toMatchObject({
      method: 'POST',
      path: '',
      query: '',
      body: '{}',
    });
  });

  test('has new headers at the place of the old ones, and others at the end', () => {
    const { rawHeaders, contentType } = edit({
      headers: [
        ['x-ID', ['3', '4']],
        ['content-type', ['c/d']],
        ['__proto__', ['5']],
        ['missing', null],
      ],
    });
    expect(rawHeaders).toEqual([
      ...['Host', 'a.example', 'x-ID', '3', 'x-ID', '4', 'content-type', 'c/d'],
      ...[...LENGTH, '__proto__', '5'],
    ]);
    expect(contentType).toBe('c/d');
  });

  test('has no content type where that is removed', () => {
    expect(edit({ headers: [['content-type', null]] }).contentType).toBeNull();
  });

  test.each<[string, string[], RequestEdits, string[]]>([
    ['is corrected', LENGTH, { body: Buffer.from('é') }, LENGTH],
    ['follows a longer body', LENGTH, { body: Buffer.from('abc') }, ['Content-Length', '3']],
    ['is added', [], { body: Buffer.from('abc') }, ['Content-Length', '3']],
    ['is added to no empty body', [], { body: Buffer.alloc(0) }, []],
    ['is 0', LENGTH, { body: Buffer.alloc(0) }, ['Content-Length', '0']],
    [
      'is left out with chunks',
      ['Transfer-Encoding', 'chunked'],
      { body: Buffer.from('abc') },
      ['Transfer-Encoding', 'chunked'],
    ],
    ['can’t be set', LENGTH, { headers: [['content-length', ['9']]] }, ['Content-Length', '2']],
    ['can’t be removed', LENGTH, { headers: [['content-length', null]] }, ['Content-Length', '2']],
    [
      'is there once',
      [...LENGTH, ...LENGTH],
      { body: Buffer.from('abc') },
      ['Content-Length', '3'],
    ],
  ])('its length %s', (_, given, edits, expected) => {
    expect(edit(edits, given).rawHeaders).toEqual(expected);
  });

  test.each<[string, RequestEdits, string[]]>([
    ['is removed with a new body', { body: Buffer.from('[]') }, LENGTH],
    [
      'stays where the edit sets it',
      { body: Buffer.from('[]'), headers: [['content-encoding', ['br']]] },
      ['content-encoding', 'br', ...LENGTH],
    ],
    [
      'stays without a new body',
      { headers: [['x-new', ['1']]] },
      ['Content-Encoding', 'gzip', ...LENGTH, 'x-new', '1'],
    ],
  ])('its encoding %s', (_, edits, expected) => {
    expect(edit(edits, ['Content-Encoding', 'gzip', ...LENGTH]).rawHeaders).toEqual(expected);
  });

  test('has no more path, query and headers than a sender may send', () => {
    const long = 'x'.repeat(9000);
    expect(edit({ path: `/${long}` }).path).toBe(`/${long}`);
    for (const edits of [
      { path: `/${long}`, query: long },
      { headers: [['a', [long, long]]] as [string, string[]][] },
    ]) {
      expect(() => edit(edits)).toThrow(
        expect.objectContaining({
          code: 'invalid_input',
          issues: [{ path: 'headers', message: expect.stringContaining('16 KiB') }],
        }),
      );
    }
  });
});
