import { describe, expect, it } from 'vitest';
import { ResponseParser } from '../../../../../src/delivery/transports/webhook/connection/response-parser.ts';

/** What a parser has read, or why it refuses. */
interface Read {
  status: number | null;
  headers: string[];
  body: string;
  /** `open`: bytes are missing. `end`: complete, but the connection ends. */
  is: 'kept' | 'end' | 'open' | 'refused';
  reason?: string;
}

/** Feeds the pieces, and then the end of the connection. */
function reading(pieces: readonly string[], isToHead = false): Read {
  const read: Read = { status: null, headers: [], body: '', is: 'open' };
  const handler = {
    onHead(status: number, headers: [string, string][]) {
      read.status = status;
      read.headers = headers.map((pair) => pair.join('='));
    },
    onBody(piece: Buffer) {
      read.body += piece.toString('latin1');
    },
  };
  const parser = new ResponseParser(handler, isToHead);
  try {
    for (const piece of pieces) parser.read(Buffer.from(piece, 'latin1'));
  } catch (error) {
    return { ...read, is: 'refused', reason: (error as Error).message };
  }
  if (parser.isDone) return { ...read, is: parser.reusableAfter ? 'kept' : 'end' };
  return { ...read, is: parser.end() ? 'end' : 'open' };
}

/** The same response whole, byte by byte, and cut in two at each place. */
function readings(response: string, isToHead = false): Read {
  const whole = reading([response], isToHead);
  const cuts = [[...response]];
  for (let at = 1; at < response.length; at++) {
    cuts.push([response.slice(0, at), response.slice(at)]);
  }
  for (const pieces of cuts) {
    const cut = reading(pieces, isToHead);
    if (whole.is !== 'refused') expect(cut).toEqual(whole);
    // A cut line is refused as early as possible, so the reason can differ.
    else expect(cut).toMatchObject({ is: 'refused', status: whole.status, body: whole.body });
  }
  return whole;
}

const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const chunked = (body: string) => head('transfer-encoding: chunked') + body;
const OK = `${head('content-length: 2')}ok`;
const CHUNKS = '2;a="b;\\"";c=d;e\r\nok\r\n000A\r\n0123456789\r\n0;last\r\nx: y\r\n\r\n';

describe('a response', () => {
  it.each<[string, string, Partial<Read>]>([
    ['with a length', OK, { is: 'kept', body: 'ok' }],
    ['without a body', head('content-length: 0'), { is: 'kept', body: '' }],
    ['in chunks', chunked(CHUNKS), { is: 'kept', body: 'ok0123456789' }],
    ['up to the end', `${head()}ok\r\n`, { is: 'end', body: 'ok\r\n' }],
    ['after empty lines', `\r\n\n\r${OK}`, { is: 'kept' }],
    ['after 1xx', `HTTP/1.1 103 x\r\nlink: a\r\n\r\nHTTP/1.1 102\r\n\r\n${OK}`, { is: 'kept' }],
    ['without a reason', OK.replace(' OK', ''), { is: 'kept' }],
    ['with an odd reason', OK.replace('OK', '\0\t\xff'), { is: 'kept' }],
    ['of HTTP/1.0', OK.replace('1.1', '1.0'), { is: 'end', body: 'ok' }],
    [
      'of HTTP/1.0 that is kept',
      OK.replace('1.1', '1.0').replace('\r\n', '\r\nconnection: Keep-Alive\r\n'),
      { is: 'kept' },
    ],
    ['of HTTP/2.0', OK.replace('1.1', '2.0'), { is: 'end' }],
    ['that closes', OK.replace('\r\n', '\r\nConnection: x, Close\r\n'), { is: 'end' }],
    ['that is followed by bytes', `${OK}\r\n`, { is: 'end', body: 'ok' }],
    ['that is followed by another', `${OK}${OK}`, { is: 'end', body: 'ok' }],
    ['of a 204', 'HTTP/1.1 204 x\r\n\r\n', { is: 'kept', status: 204 }],
    ['of a 204 with a length', 'HTTP/1.1 204 x\r\ncontent-length: 2\r\n\r\n', { is: 'end' }],
    ['of a 304 in chunks', 'HTTP/1.1 304 x\r\ntransfer-encoding: chunked\r\n\r\n', { is: 'end' }],
    [
      'in another coding',
      `${head('transfer-encoding: chunked, gzip')}2\r\nok`,
      { is: 'end', body: '2\r\nok' },
    ],
    [
      'in two codings',
      `${head('transfer-encoding: gzip', 'Transfer-Encoding: Chunked ')}2\r\nok\r\n0\r\n\r\n`,
      { is: 'kept', body: 'ok' },
    ],
    ['that ends in its head', 'HTTP/1.1 200 OK\r\nx: y', { is: 'open', status: null }],
    ['that ends in its body', head('content-length: 3'), { is: 'open', status: 200 }],
    ['that ends in a chunk', chunked('3\r\nok'), { is: 'open', body: 'ok' }],
    ['that ends before the last chunk', chunked('2\r\nok\r\n'), { is: 'open', body: 'ok' }],
    ['that ends in the trailers', chunked('0\r\nx: y\r\n'), { is: 'open' }],
  ])('%s', (_what, response, expected) => {
    expect(readings(response)).toMatchObject(expected);
  });

  it('keeps its headers as they came', () => {
    const lines = ['X-a: b \t', 'x-A:', 'x-b:\t \xe9:c', 'Content-Length: 0'];
    expect(readings(head(...lines)).headers).toEqual([
      'X-a=b \t',
      'x-A=',
      'x-b=\xe9:c',
      'Content-Length=0',
    ]);
  });

  it('to HEAD has no body', () => {
    expect(readings(head('content-length: 2'), true)).toMatchObject({ is: 'kept', body: '' });
    expect(readings(head('transfer-encoding: chunked'), true)).toMatchObject({ body: '' });
  });
});

describe('refused', () => {
  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.9'],
    ['another protocol’s status', OK.replace('HTTP/1.1', 'RTSP/1.0')],
    ['an unknown version', OK.replace('1.1', '1.2')],
    ['a status of two digits', OK.replace('200', '20')],
    ['a status of four digits', OK.replace('200', '2000')],
    ['two blanks', OK.replace(' 200', '  200')],
    ['a bare LF after the status', OK.replace('\r\n', '\n')],
    ['a bare LF after a header', OK.replace('2\r\n', '2\n')],
    ['a bare LF after the head', OK.replace('\r\n\r\n', '\r\n\n')],
    ['a bare CR', head('a: b\rc')],
    ['a folded header', head('a: b', ' c')],
    ['a blank before the colon', head('a : b')],
    ['no colon', head('ab')],
    ['no name', head(': b')],
    ['NUL', head('a: b\0')],
    ['DEL', head('a: \x7f')],
    ['a Latin-1 name', head('\xe9: b')],
    ['two lengths', head('content-length: 2', 'content-length: 2')],
    ['a list of lengths', head('content-length: 2, 2')],
    ['a negative length', head('content-length: -2')],
    ['a hexadecimal length', head('content-length: 0x2')],
    ['an empty length', head('content-length:')],
    ['a length over 2⁵³', head('content-length: 9007199254740993')],
    ['a length and a coding', head('content-length: 2', 'transfer-encoding: identity')],
    ['a coding and a length', head('transfer-encoding: chunked', 'content-length: 2')],
    ['a status of 000', OK.replace('200', '000')],
    ['a 100', `HTTP/1.1 100 Continue\r\n\r\n${OK}`],
    ['a 101', `HTTP/1.1 101 Switching\r\n\r\n${OK}`],
    ['a response after a 1xx that closes', `HTTP/1.1 103 x\r\nconnection: close\r\n\r\n${OK}`],
  ])('%s', (_what, response) => {
    expect(readings(response)).toMatchObject({
      is: 'refused',
      status: null,
      reason: expect.stringMatching(/^(?:Response does not match|The response) .*\.$/),
    });
  });

  it.each([
    ['no size', '\r\nok'],
    ['a blank after the size', '2 \r\nok'],
    ['a sign', '+2\r\nok'],
    ['a prefix', '0x2\r\nok'],
    ['a size over 2⁵³', '20000000000001\r\nok'],
    ['a bare LF after the size', '2\nok'],
    ['an open quote', '2;a="b\r\nok'],
    ['a blank in an extension', '2;a=b c\r\nok'],
    ['a control character in an extension', '2;a="\x01"\r\nok'],
    ['an empty extension', '2;\r\nok'],
  ])('in the size of a chunk: %s', (_what, body) => {
    expect(readings(chunked(body))).toMatchObject({ is: 'refused', status: 200, body: '' });
  });

  it.each([
    ['a chunk that is longer than its size', '2\r\nokk\r\n0\r\n\r\n'],
    ['a bare LF after a chunk', '2\r\nok\n0\r\n\r\n'],
    ['a bare LF at the end', '2\r\nok\r\n0\r\n\n'],
    ['a trailer without a colon', '2\r\nok\r\n0\r\nx\r\n\r\n'],
    ['a length as a trailer', '2\r\nok\r\n0\r\nContent-Length: 2\r\n\r\n'],
    ['a coding as a trailer', '2\r\nok\r\n0\r\ntransfer-encoding: chunked\r\n\r\n'],
  ])('after a chunk: %s', (_what, body) => {
    expect(readings(chunked(body))).toMatchObject({ is: 'refused', status: 200, body: 'ok' });
  });

  it('a line over 16 KiB, however it is cut', () => {
    const long = 'a'.repeat(9000);
    expect(reading([`HTTP/1.1 200 ${long}`, long, '\r\n'])).toMatchObject({ is: 'refused' });
    expect(reading([chunked('2;'), long, long, '\r\nok'])).toMatchObject({ is: 'refused' });
    const tooLong = {
      is: 'refused',
      reason: 'The response has too many or too long headers.',
    };
    expect(reading([head().slice(0, -2), `x: ${long}`])).toMatchObject({ is: 'open' });
    expect(reading([head().slice(0, -2), `x: ${long}`, long])).toMatchObject(tooLong);
    expect(reading([head(`x: ${long}`, `y: ${long}`)])).toMatchObject(tooLong);
    expect(reading([chunked(`0\r\nx: ${long}`), long])).toMatchObject(tooLong);
  });
});

it('a header line that is refused takes linear time', () => {
  const line = `a:${' '.repeat(16_000)}\0\r\n`;
  const before = process.cpuUsage();
  for (let i = 0; i < 20; i++) expect(reading([head().slice(0, -2) + line]).is).toBe('refused');
  const { user } = process.cpuUsage(before);
  // Quadratic time would be seconds.
  expect(user).toBeLessThan(500_000);
});
