import { describe, expect, test } from 'vitest';
import { handshakeAnswer } from '../../src/capture/handshake.ts';
import { recognise } from '../../src/providers/recognise.ts';

type Checked = { method?: string; query?: string; body?: string | Buffer; headers?: string[] };
/** As `commit-request.ts` asks. */
const checked = ({ method = 'POST', query = '', body = '', headers = [] }: Checked) =>
  handshakeAnswer(
    { method, query, rawHeaders: headers, body: Buffer.from(body) },
    recognise(headers).hasHandshakeHeader,
  );
const answerTo = (method: string, query: string, body: string | Buffer = '') =>
  checked({ method, query, body });

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

const inHeader = (method: string, name: string, value: string, body = ''): Checked => ({
  ...{ method, body },
  headers: ['Host', 'a', name, value],
});
const eventGrid = (code: unknown) =>
  inHeader(
    'POST',
    'aeg-event-type',
    'SubscriptionValidation',
    JSON.stringify([{ id: '1', topic: 't', data: { validationCode: code } }]),
  );

describe('a check that no other request looks like is answered', () => {
  const OKTA = 'X-Okta-Verification-Challenge';
  const GCS = 'X-GCS-Webhooks-Endpoint-Verification';
  const text = (body: string) => ({ content_type: 'text/plain; charset=utf-8', body });
  const json = (value: object) => ({
    content_type: 'application/json',
    body: JSON.stringify(value),
  });
  test.each<[string, Checked, object]>([
    ['Dropbox, Nylas', { method: 'GET', query: 'challenge=a%20b' }, text('a b')],
    ['Okta', inHeader('GET', OKTA, 'c1'), json({ verification: 'c1' })],
    ['Worldline', inHeader('GET', GCS, 'c2'), text('c2')],
    ['monday', { body: '{"challenge": "c3"}' }, json({ challenge: 'c3' })],
    ['monday, spread', { body: '\n {\t"challenge":\n"c3" }\n' }, json({ challenge: 'c3' })],
    ['Event Grid', eventGrid('512d38b6'), json({ validationResponse: '512d38b6' })],
    [
      'CloudEvents',
      inHeader('OPTIONS', 'webhook-request-origin', 'eventgrid.azure.net'),
      {
        ...text(''),
        headers: [
          ...['webhook-allowed-origin', 'eventgrid.azure.net', 'webhook-allowed-rate', '*'],
          ...['allow', 'POST, OPTIONS'],
        ],
      },
    ],
    [
      'Smartsheet',
      inHeader('POST', 'Smartsheet-Hook-Challenge', 'c4', '{"challenge":"c4","webhookId":1}'),
      {
        ...json({ smartsheetHookResponse: 'c4' }),
        headers: ['smartsheet-hook-response', 'c4'],
      },
    ],
    ...['GET', 'POST'].map((method): [string, Checked, object] => [
      `Adobe Sign, ${method}`,
      inHeader(method, 'X-ADOBESIGN-CLIENTID', 'id1'),
      { ...json({ xAdobeSignClientId: 'id1' }), headers: ['x-adobesign-clientid', 'id1'] },
    ]),
  ])('%s', (_name, request, answer) => {
    expect(checked(request)).toEqual({ status: 200, ...answer });
  });
});

describe('what looks like such a check is none', () => {
  test.each<[string, Checked]>([
    ['a challenge among others', { method: 'GET', query: 'challenge=a&b=c' }],
    ['an empty challenge', { method: 'GET', query: 'challenge=' }],
    ['a challenge by POST', { query: 'challenge=a' }],
    ['a challenge that is too long', { method: 'GET', query: `challenge=${longest}c` }],
    ['Onfleet', { method: 'GET', query: 'check=a' }],
    ['X', { method: 'GET', query: 'crc_token=a' }],
    ['LinkedIn', { method: 'GET', query: 'challengeCode=890e4665-4dfe-4ab1-b689-ed553bceeed0' }],
    ['Trello', { method: 'HEAD' }],
    ['Asana', inHeader('POST', 'X-Hook-Secret', 'b537207f20cbfa02357cf448134da559')],
    ['Notion', { body: '{"verification_token":"secret_tMrlL1qK5vuQAh1b6cZGh"}' }],
    ['Discord', { body: '{"type":1,"application_id":"1"}' }],
    ['Zoom', { body: '{"event":"endpoint.url_validation","payload":{"plainToken":"t"}}' }],
    ['WooCommerce', { body: 'webhook_id=1' }],
    ['Mandrill', { body: 'mandrill_events=[]' }],
    ['monday with more', { body: '{"challenge":"c","type":"x"}' }],
    ['monday with a number', { body: '{"challenge":1}' }],
    ['monday by PUT', { method: 'PUT', body: '{"challenge":"c"}' }],
    ['Okta by POST', inHeader('POST', 'X-Okta-Verification-Challenge', 'c')],
    ['Event Grid without a code', eventGrid(undefined)],
    ['Event Grid with a number', eventGrid(7)],
    ['Event Grid with an event', inHeader('POST', 'aeg-event-type', 'Notification', '[]')],
    ['a preflight', inHeader('OPTIONS', 'Origin', 'https://a.example')],
    ...['a b', '', 'a\r\nx: y', 'é', 'x'.repeat(257)].flatMap((value): [string, Checked][] => [
      [`CloudEvents ${value}`, inHeader('OPTIONS', 'webhook-request-origin', value)],
      [`Smartsheet ${value}`, inHeader('POST', 'smartsheet-hook-challenge', value)],
      [`Adobe Sign ${value}`, inHeader('GET', 'x-adobesign-clientid', value)],
    ]),
  ])('%s', (_name, request) => {
    expect(checked(request)).toBeNull();
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
