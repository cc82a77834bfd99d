import type { HandlerPlan } from '../plan.ts';
import { isParsed } from './gin-handle.ts';

type Kind = HandlerPlan['payload']['kind'];

export function ginReceive(plan: HandlerPlan): string {
  const { types, payload, idHeader } = plan;
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
${check(payload.kind)}
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
${isParsed(plan) ? REFUSE_MISFIT : ''}\t\tlog.Printf("webhook %q failed: %q", id, err)
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
${READERS[payload.kind] ?? ''}
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

const REFUSE_MISFIT = `\t\tvar unfit misfit
\t\tif errors.As(err, &unfit) {
\t\t\tlog.Printf("webhook %q does not fit: %v", id, unfit)
\t\t\tc.String(http.StatusUnprocessableEntity, "payload does not fit")
\t\t\treturn
\t\t}
`;

/** Returns code that makes JSON of the body, and refuses a body that isn't JSON. */
function check(kind: Kind): string {
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

/** The functions that `check` calls. */
const READERS: Partial<Record<Kind, string>> = {
  ndjson: `
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
`,
  form: `
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
`,
  'json-in-form': `
// payloadOf returns the JSON in the field "payload" of a form.
func payloadOf(form []byte) ([]byte, error) {
\tfields, err := url.ParseQuery(string(form))
\tif err != nil {
\t\treturn nil, err
\t}
\treturn []byte(fields.Get("payload")), nil
}
`,
};

function typeExpression(source: NonNullable<HandlerPlan['types']>['source']): string {
  if ('header' in source) return `c.GetHeader("${source.header}")`;
  const reads = source.paths.map(
    (path) => `textAt(body, ${path.map((name) => `"${name}"`).join(', ')})`,
  );
  return `firstOf(${reads.join(', ')})`;
}
