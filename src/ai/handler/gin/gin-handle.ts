import type { HandlerPlan } from '../plan.ts';

type Kind = HandlerPlan['payload']['kind'];

/** The kinds of body that `encoding/json` reads. */
const DECODED: ReadonlySet<Kind> = new Set(['json', 'ndjson', 'json-in-form', 'form']);

/** Returns whether the handler parses the body. A parsed body may turn out not to fit its type. */
export function isParsed({ payload }: HandlerPlan): boolean {
  return DECODED.has(payload.kind);
}

export function ginHandle(plan: HandlerPlan): string {
  const { types } = plan;
  const intro = `// handle is your code. Finish within seconds: hookrelay waits 10 s for the answer.
// Put longer work into a queue, and return. Return an error to have the event sent
// again.${isParsed(plan) ? " encoding/json doesn't notice a missing member: it keeps its zero value." : ''}`;
  const steps = userSteps(plan);
  const body = types
    ? `func handle(eventType string, body []byte) error {
\tswitch eventType {
\tcase "${types.value}":
${indented(steps, 2)}
\tdefault:
\t\t// The answer is success too: after an error, the event would be sent again.
\t\tlog.Printf("not handled: %q", eventType)
\t}
\treturn nil
}`
    : `func handle(body []byte) error {
${indented(steps, 1)}
\treturn nil
}`;
  return `${intro}\n${body}\n${isParsed(plan) ? PARSE : ''}`;
}

function userSteps({ payload: { kind, name } }: HandlerPlan): string[] {
  const todo = '// TODO: your code.';
  if (DECODED.has(kind)) {
    return [
      `var event ${name}`,
      'if err := parse(body, &event); err != nil {',
      '\treturn err',
      '}',
      todo,
    ];
  }
  if (kind === 'empty') return [todo];
  const text = kind === 'text' ? 'body' : 'base64.StdEncoding.EncodeToString(body)';
  // The compiler refuses a variable that nothing uses.
  return [`event := ${name}(${text})`, todo, '_ = event'];
}

const PARSE = `
// parse reads a payload. Its error is a misfit.
func parse(body []byte, into any) error {
\tif err := json.Unmarshal(body, into); err != nil {
\t\treturn misfit{err}
\t}
\treturn nil
}

// misfit is the error of a payload that doesn't fit its type. The cause may quote the
// payload, so the text is made of the member's name and type.
type misfit struct{ cause error }

func (m misfit) Error() string {
\tvar mismatch *json.UnmarshalTypeError
\tif errors.As(m.cause, &mismatch) {
\t\treturn fmt.Sprintf("%q is not %v", mismatch.Field, mismatch.Type)
\t}
\treturn fmt.Sprintf("a member is refused by its type: %T", m.cause)
}
`;

function indented(lines: readonly string[], tabs: number): string {
  return lines.map((line) => '\t'.repeat(tabs) + line).join('\n');
}
