import { ginVerification } from './gin-verify.ts';
import { environment } from './node-handler.ts';
import type { HandlerPlan } from './plan.ts';
import { comment, joined } from './text.ts';

/** The file of a handler for gin. */
export function gin(plan: HandlerPlan): string {
  const { payload, toleranceS } = plan;
  const body = joined(
    `const (
${toleranceS === null ? '' : `\t// Largest difference between a signature's time and now.\n\ttolerance = ${toleranceS / 60} * time.Minute\n`}\t// hookrelay captures up to 25 MiB by default.
\tmaxBodyBytes = 25 << 20
\t// Number of handled ids that are remembered.
\tmaxHandled = 10_000
)`,
    `// Register adds the route of the webhooks.
func Register(router gin.IRouter) {
\trouter.${plan.method}("/webhooks", receive)
}`,
    handle(plan),
    receive(plan),
    ginVerification(plan),
    [comment('//', payload.notes), payload.code].filter((text) => text !== '').join('\n'),
  );
  return joined(
    [
      comment('//', [
        `Package webhooks receives ${plan.sender ? `${plan.sender}'s webhooks` : 'webhooks'}, delivered by hookrelay.`,
        '',
        '\twebhooks.Register(router)',
        '',
        ...environment(plan),
      ]),
      'package webhooks',
    ].join('\n'),
    imports(body),
    body,
  );
}

/** Kinds of body whose types are read from JSON. */
const DECODED: ReadonlySet<HandlerPlan['payload']['kind']> = new Set([
  'json',
  'ndjson',
  'json-in-form',
  'form',
]);

/** Import paths by the package name in the code. */
const PACKAGES: Record<string, string> = {
  bytes: 'bytes',
  hmac: 'crypto/hmac',
  sha256: 'crypto/sha256',
  base64: 'encoding/base64',
  hex: 'encoding/hex',
  json: 'encoding/json',
  errors: 'errors',
  io: 'io',
  log: 'log',
  http: 'net/http',
  url: 'net/url',
  os: 'os',
  slices: 'slices',
  strconv: 'strconv',
  strings: 'strings',
  sync: 'sync',
  time: 'time',
};

function imports(code: string): string {
  const used = Object.entries(PACKAGES)
    .filter(([name]) => new RegExp(`(?<![\\w"./])${name}\\.[A-Z]`).test(code))
    .map(([, path]) => `\t"${path}"`);
  return `import (\n${used.join('\n')}\n\n\t"github.com/gin-gonic/gin"\n)`;
}

function handle({ types, payload }: HandlerPlan): string {
  const intro = `// handle is your code. Finish within seconds: hookrelay waits 10 s for the answer.
// Put longer work into a queue, and return. Return an error to have the event sent
// again.`;
  const decoded = `var event ${payload.name}
${DECODED.has(payload.kind) ? 'if err := decode(body, &event); err != nil {\n\treturn err\n}' : payload.kind === 'text' ? `event = ${payload.name}(body)` : payload.kind === 'binary' ? `event = ${payload.name}(base64.StdEncoding.EncodeToString(body))` : ''}`.trim();
  if (!types) {
    return `${intro}
func handle(body []byte) error {
${indented(decoded, 1)}
\t// TODO: your code.
\tlog.Printf("received %+v", event)
\treturn nil
}
${decode(payload.kind)}`;
  }
  return `${intro}
func handle(eventType string, body []byte) error {
\tswitch eventType {
\tcase "${types.value}":
${indented(decoded, 2)}
\t\t// TODO: your code.
\t\tlog.Printf("received %s: %+v", eventType, event)
\tdefault:
\t\t// The answer is success too: after an error, the event would be sent again.
\t\tlog.Printf("not handled: %q", eventType)
\t}
\treturn nil
}
${decode(payload.kind)}`;
}

function decode(kind: HandlerPlan['payload']['kind']): string {
  if (!DECODED.has(kind)) return '';
  const lines = `
// arrayOf makes a JSON array from NDJSON, which has one JSON document per line.
func arrayOf(body []byte) []byte {
\tvar lines [][]byte
\tfor _, line := range bytes.Split(body, []byte("\\n")) {
\t\tif line = bytes.TrimSpace(line); len(line) > 0 {
\t\t\tlines = append(lines, line)
\t\t}
\t}
\treturn slices.Concat([]byte("["), bytes.Join(lines, []byte(",")), []byte("]"))
}
`;
  const form = `
// fieldsOf makes JSON from a form. It keeps the first value of a repeated field.
func fieldsOf(form []byte) ([]byte, error) {
\tfields, err := url.ParseQuery(string(form))
\tif err != nil {
\t\treturn nil, err
\t}
\tvalues := map[string]string{}
\tfor name := range fields {
\t\tvalues[name] = fields.Get(name)
\t}
\treturn json.Marshal(values)
}
`;
  const inner = `
// payloadOf returns the JSON in the field "payload" of a form.
func payloadOf(form []byte) ([]byte, error) {
\tfields, err := url.ParseQuery(string(form))
\tif err != nil {
\t\treturn nil, err
\t}
\treturn []byte(fields.Get("payload")), nil
}
`;
  const more: Partial<Record<HandlerPlan['payload']['kind'], string>> = {
    ndjson: lines,
    form,
    'json-in-form': inner,
  };
  return `
// decode parses JSON. The types come from one event. A member that has another type
// in another event keeps its zero value, and the mismatch is logged.
func decode(body []byte, into any) error {
\terr := json.Unmarshal(body, into)
\tvar mismatch *json.UnmarshalTypeError
\tif errors.As(err, &mismatch) {
\t\tlog.Printf("webhook: %v", mismatch)
\t\treturn nil
\t}
\treturn err
}
${more[kind] ?? ''}`;
}

function receive({ types, payload, idHeader }: HandlerPlan): string {
  const call = types ? `handle(${typeExpression(types.source)}, body)` : 'handle(body)';
  const fallback =
    idHeader === null ? '' : `\tif id == "" {\n\t\tid = c.GetHeader("${idHeader}")\n\t}\n`;
  const needsPath = types !== null && 'paths' in types.source;
  return `
func receive(c *gin.Context) {
\tbody, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxBodyBytes))
\tif err != nil {
\t\tc.String(http.StatusRequestEntityTooLarge, "unreadable body")
\t\treturn
\t}
\tif !isAuthentic(c.Request.Header, body) {
\t\tc.String(http.StatusUnauthorized, "invalid signature")
\t\treturn
\t}
${readable(payload.kind)}
\t// Handles each event once, and once more for each replay.
\tid := c.GetHeader("webhook-id")
${fallback}\tif c.GetHeader("x-hookrelay-trigger") == "replay" {
\t\tid = c.GetHeader("x-hookrelay-delivery")
\t}
\tswitch seen.begin(id) {
\tcase handled:
\t\tc.String(http.StatusOK, "handled before")
\t\treturn
\tcase underWay:
\t\tc.String(http.StatusConflict, "under way")
\t\treturn
\t}
\tisDone := false
\t// Runs after a panic too, so the event can be sent again.
\tdefer func() { seen.end(id, isDone) }()
\tif err := ${call}; err != nil {
\t\tlog.Printf("webhook failed: %v", err)
\t\tc.String(http.StatusInternalServerError, "failed")
\t\treturn
\t}
\tisDone = true
\tc.String(http.StatusOK, "ok")
}
${
  needsPath
    ? `
// textAt returns the text at a path of names in a JSON body, or "".
func textAt(body []byte, path ...string) string {
\tfor _, name := range path {
\t\tvar members map[string]json.RawMessage
\t\tif json.Unmarshal(body, &members) != nil {
\t\t\treturn ""
\t\t}
\t\tbody = members[name]
\t}
\tvar text string
\tif json.Unmarshal(body, &text) != nil {
\t\treturn ""
\t}
\treturn text
}

func firstOf(texts ...string) string {
\tfor _, text := range texts {
\t\tif text != "" {
\t\t\treturn text
\t\t}
\t}
\treturn ""
}
`
    : ''
}
type state int

const (
\tunknown state = iota
\tunderWay
\thandled
)

// memory holds the ids of handled events. For several processes, use a table with a
// unique key.
type memory struct {
\tsync.Mutex
\tstates map[string]state
\tids    []string
}

var seen = memory{states: map[string]state{}}

func (m *memory) begin(id string) state {
\tm.Lock()
\tdefer m.Unlock()
\tbefore := m.states[id]
\tif before == unknown && id != "" {
\t\tm.states[id] = underWay
\t}
\treturn before
}

func (m *memory) end(id string, isDone bool) {
\tm.Lock()
\tdefer m.Unlock()
\tif !isDone || id == "" {
\t\tdelete(m.states, id)
\t\treturn
\t}
\tm.states[id] = handled
\tm.ids = append(m.ids, id)
\tif len(m.ids) > maxHandled {
\t\tdelete(m.states, m.ids[0])
\t\tm.ids = m.ids[1:]
\t}
}
`;
}

function readable(kind: HandlerPlan['payload']['kind']): string {
  const refuse = '\t\tc.String(http.StatusBadRequest, "unreadable body")\n\t\treturn\n\t}\n';
  // encoding/json rejects a byte order mark.
  const unmarked = '\tbody = bytes.TrimPrefix(body, []byte("\\xef\\xbb\\xbf"))\n';
  if (kind === 'json') return `${unmarked}\tif !json.Valid(body) {\n${refuse}`;
  if (kind === 'ndjson') {
    return `${unmarked}\tif body = arrayOf(body); !json.Valid(body) {\n${refuse}`;
  }
  if (kind === 'json-in-form') {
    return `\tif body, err = payloadOf(body); err != nil || !json.Valid(body) {\n${refuse}`;
  }
  if (kind === 'form') return `\tif body, err = fieldsOf(body); err != nil {\n${refuse}`;
  return '';
}

function typeExpression(source: NonNullable<HandlerPlan['types']>['source']): string {
  if ('header' in source) return `c.GetHeader("${source.header}")`;
  const reads = source.paths.map(
    (path) => `textAt(body, ${path.map((name) => `"${name}"`).join(', ')})`,
  );
  return `firstOf(${reads.join(', ')})`;
}

function indented(code: string, tabs: number): string {
  return code
    .split('\n')
    .map((line) => (line === '' ? line : '\t'.repeat(tabs) + line))
    .join('\n');
}
