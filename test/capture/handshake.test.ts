import { describe, expect, test } from 'vitest';
import { handshakeAnswer } from '../../src/capture/handshakes/handshake.ts';

const answerTo = (method: string, query: string, body: string | Buffer = '') =>
  handshakeAnswer({ method, query, rawHeaders: [], body: Buffer.from(body) });

const slack = (fields: object) => JSON.stringify({ type: 'url_verification', ...fields });
const longest = 'c'.repeat(1024);

describe('a handshake is answered', () => {
  test.each<[string, string, string, string, string]>([
    ['Slack', 'POST', '', slack({ token: 't', challenge: '3eZbrw1aBm' }), '3eZbrw1aBm'],
    [
      'Slack, pretty-printed',
      'POST',
      '',
      '{\n "challenge": "a b",\n "type": "url_verification"}',
      'a b',
    ],
    ['Slack, escaped', 'POST', '', slack({ challenge: 'é"\\' }), 'é"\\'],
    ['Slack, with a query', 'POST', 'a=b', slack({ challenge: 'x' }), 'x'],
    ['Slack, empty', 'POST', '', slack({ challenge: '' }), ''],
    ['Slack, as long as can be', 'POST', '', slack({ challenge: longest }), longest],
    [
      'Meta',
      'GET',
      'hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=v',
      '',
      '1158201444',
    ],
    ['Meta, encoded', 'GET', 'hub.challenge=a%20b%2Bc&hub.mode=subscribe', '', 'a b+c'],
    ['Graph', 'POST', 'validationToken=Validation%3A+Testing+1', '', 'Validation: Testing 1'],
    ['Graph, by GET', 'GET', 'validationToken=t', '', 't'],
    ['Graph, after others', 'POST', 'a=b&validationToken=t', '', 't'],
    ['HTML, as text', 'GET', 'hub.mode=subscribe&hub.challenge=%3Cscript%3E', '', '<script>'],
    ['line breaks, in a body', 'POST', 'validationToken=a%0d%0ax-evil:1', '', 'a\r\nx-evil:1'],
  ])('%s', (_name, method, query, body, challenge) => {
    expect(answerTo(method, query, body)).toEqual({
      status: 200,
      content_type: 'text/plain; charset=utf-8',
      body: challenge,
    });
  });
});

describe('an ordinary request is not answered as a handshake', () => {
  test.each<[string, string, string, string | Buffer]>([
    ['nothing', 'GET', '', ''],
    ['Slack by PUT', 'PUT', '', slack({ challenge: 'x' })],
    [
      'Slack of another type',
      'POST',
      '',
      '{"type":"event_callback","challenge":"x","a":"url_verification"}',
    ],
    ['Slack without a challenge', 'POST', '', slack({})],
    ['Slack with a number', 'POST', '', slack({ challenge: 7 })],
    ['Slack with an object', 'POST', '', slack({ challenge: { toString: 'x' } })],
    ['Slack inherited', 'POST', '', '{"__proto__":{"type":"url_verification","challenge":"x"}}'],
    ['Slack in an array', 'POST', '', `[${slack({ challenge: 'x' })}]`],
    ['Slack as a string', 'POST', '', '"url_verification"'],
    ['Slack, null', 'POST', '', 'null /* url_verification */'],
    ['Slack, not JSON', 'POST', '', '{url_verification'],
    ['Slack, too large a body', 'POST', '', slack({ challenge: 'x', pad: 'p'.repeat(4096) })],
    ['Slack, too long a challenge', 'POST', '', slack({ challenge: `${longest}c` })],
    ['Meta by POST', 'POST', 'hub.mode=subscribe&hub.challenge=1', ''],
    ['Meta, another mode', 'GET', 'hub.mode=unsubscribe&hub.challenge=1', ''],
    ['Meta without a mode', 'GET', 'hub.challenge=1', ''],
    ['Meta, too long', 'GET', `hub.mode=subscribe&hub.challenge=${longest}c`, ''],
    ['Graph, too long', 'POST', `validationToken=${longest}c`, ''],
    ['Graph in another case', 'POST', 'validationtoken=t', ''],
    ['a name that ends like Graph’s', 'POST', 'xvalidationToken=t', ''],
    ['a value like Graph’s', 'POST', 'a=validationToken=t', ''],
    ['bytes', 'POST', '', Buffer.from([0xff, 0xfe, 0])],
  ])('%s', (_name, method, query, body) => {
    expect(answerTo(method, query, body)).toBeNull();
  });
});
