import { STANDARD } from '../handler-scheme.ts';
import { bodyLiterals, longEscape } from '../literals.ts';
import type { HandlerPlan } from '../plan.ts';
import { SAMPLE_FILE } from '../sample.ts';
import { testSecret } from '../test-secret.ts';
import { comment, joined } from '../text.ts';
import { unfitBody } from '../unfit-body.ts';
import { goImports } from './go-imports.ts';
import { goSign } from './go-sign.ts';

/**
 * Returns the test of a handler for gin. The test sends the captured event with a right signature
 * and with wrong ones.
 */
export function ginTest(plan: HandlerPlan): string {
  const { own, sample } = plan;
  const body = joined(sampleText(plan), tests(plan), delivery(plan), goSign(plan), SEND);
  return joined(
    comment('//', [
      `Tests webhooks.go with the event ${sample.eventId}, signed as ${own?.provider ?? 'hookrelay'} signs.`,
      'They call your code in handle too.',
      '',
      '\tgo get github.com/gin-gonic/gin',
      '\tgo test',
    ]),
    'package webhooks',
    goImports(body),
    body,
  );
}

function sampleText({ own, sample: { body, eventId } }: HandlerPlan): string {
  const { key } = (own ?? STANDARD).scheme;
  const secret = `// secret signs the requests of these tests.
const secret = "${testSecret(key, 'a secret of the tests')}"
const anotherSecret = "${testSecret(key, 'another secret')}"`;
  if (body === null) return secret;
  const { isBase64, literals } = bodyLiterals(body, longEscape);
  const lines = literals.length > 1 ? ['""', ...literals] : literals;
  return `${secret}

// sample is the body of ${eventId}${isBase64 ? ' in base64: it is not text' : ''}.
const sample = ${lines.join(' +\n\t') || '""'}`;
}

function tests(plan: HandlerPlan): string {
  const { own, secretVariable, toleranceS } = plan;
  const unfit = unfitBody(plan);
  const isTimed = toleranceS !== null;
  const now = isTimed ? ', now' : '';
  const cases = [
    `{"signed", delivery("evt_1", secret, body${now}), http.StatusOK},`,
    `{"signed with another secret", delivery("evt_2", anotherSecret, body${now}), http.StatusUnauthorized},`,
    '{"changed after signing", changed, http.StatusUnauthorized},',
    isTimed
      ? '{"signed too long ago", delivery("evt_4", secret, body, now.Add(-2*tolerance)), http.StatusUnauthorized},'
      : `// No case is too old: ${own?.provider}'s signature has no time.`,
    ...(unfit === null
      ? []
      : [
          `{"a payload that does not fit", delivery("evt_5", secret, []byte(${goLiteral(unfit)})${now}), http.StatusUnprocessableEntity},`,
        ]),
  ];
  return `
func TestWebhooks(t *testing.T) {
\tt.Setenv("${secretVariable}", secret)
${sampleBody(plan)}
${isTimed ? '\tnow := time.Now()\n' : ''}\tchanged := delivery("evt_3", secret, body${now})
${change(plan)}
\ttests := []struct {
\t\tname    string
\t\trequest *http.Request
\t\tstatus  int
\t}{
${cases.map((text) => `\t\t${text}`).join('\n')}
\t}
\tfor _, test := range tests {
\t\tt.Run(test.name, func(t *testing.T) {
\t\t\tif answer := send(test.request); answer.Code != test.status {
\t\t\t\tt.Errorf("the answer is %d (%s), not %d", answer.Code, answer.Body, test.status)
\t\t\t}
\t\t})
\t}

\t// The first case handled evt_1.
\tif answer := send(delivery("evt_1", secret, body${now})); answer.Body.String() != "handled before" {
\t\tt.Errorf("the answer to a repeat is %d (%s)", answer.Code, answer.Body)
\t}
}
`;
}

/** Returns the statements that set `body`. */
function sampleBody({ sample: { body, eventId } }: HandlerPlan): string {
  if (body && !bodyLiterals(body, longEscape).isBase64) return '\tbody := []byte(sample)';
  const read = body ? 'base64.StdEncoding.DecodeString(sample)' : `os.ReadFile("${SAMPLE_FILE}")`;
  const note = body ? '' : `\t// Written by: hookrelay events raw ${eventId} >${SAMPLE_FILE}\n`;
  return `${note}\tbody, err := ${read}\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}`;
}

/** Returns the statements that change one byte of a signed request. */
function change({ sample: { body } }: HandlerPlan): string {
  const bytes =
    body?.length === 0
      ? '\tother := []byte("x")'
      : '\tother := bytes.Clone(body)\n\tother[len(other)-1] ^= 1';
  return `${bytes}\n\tchanged.Body = io.NopCloser(bytes.NewReader(other))`;
}

function delivery({ method, sample, toleranceS }: HandlerPlan): string {
  const [parameter, argument] = toleranceS === null ? ['', ''] : [', at time.Time', ', at'];
  const headers = sample.headers.map(
    ([name, value]) => `\trequest.Header.Set("${name}", ${goLiteral(value)})\n`,
  );
  return `
// delivery is a signed request, as hookrelay delivers it.
func delivery(id, secret string, body []byte${parameter}) *http.Request {
\trequest := httptest.NewRequest("${method}", "/webhooks", bytes.NewReader(body))
${headers.join('')}\trequest.Header.Set("webhook-id", id)
\tsign(request.Header, secret, body${argument})
\treturn request
}
`;
}

function goLiteral(text: string): string {
  return bodyLiterals(Buffer.from(text), longEscape).literals.join('+');
}

const SEND = `
func send(request *http.Request) *httptest.ResponseRecorder {
\tgin.SetMode(gin.TestMode)
\trouter := gin.New()
\tRegister(router)
\tanswer := httptest.NewRecorder()
\trouter.ServeHTTP(answer, request)
\treturn answer
}
`;
