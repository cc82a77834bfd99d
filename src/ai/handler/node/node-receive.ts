import type { HandlerPlan } from '../plan.ts';
import type { Annotate } from './node-verify.ts';

/** Returns the constants and types that the other pieces use. */
export function nodeHead(plan: HandlerPlan, t: Annotate): string {
  const { toleranceS } = plan;
  return `
${toleranceS === null ? '' : `/** Largest difference between a signature's time and now, seconds. */\nconst TOLERANCE_S = ${toleranceS / 60} * 60;\n`}/** hookrelay captures up to 25 MiB by default. */
const MAX_BODY_BYTES = 25 * 1024 * 1024;
/** Number of handled ids that are remembered. */
const MAX_HANDLED = 10_000;
${t('\n/** The value of a request header, by its lower-case name. */\ntype Header = (name: string) => string | undefined;\n')}`;
}

export function nodeHandle(plan: HandlerPlan, t: Annotate): string {
  const { name } = plan.payload;
  const intro = `/**
 * Your code. Finish within seconds: hookrelay waits 10 s for the answer. Put longer
 * work into a queue, and return. Throw to have the event sent again.
 */`;
  if (!plan.types) {
    return `${intro}
async function handle(payload${t(`: ${name}`)})${t(': Promise<void>')} {
  // TODO: your code.
  void payload;
}
`;
  }
  const { value } = plan.types;
  return `${intro}
async function handle(eventType${t(': string')}, payload${t(': unknown')})${t(': Promise<void>')} {
  switch (eventType) {
    case '${value}': {
      const event = parsed(${name}, payload);
      // TODO: your code.
      void event;
      break;
    }
    default:
      // The answer is success too: after an error, the event would be sent again.
      console.log('not handled:', JSON.stringify(eventType.slice(0, 100)));
  }
}
`;
}

/** Returns `receive(header, body)`, which all frameworks call, and the memory of handled ids. */
export function nodeReceive(plan: HandlerPlan, t: Annotate): string {
  const { types, payload, idHeader } = plan;
  const id =
    idHeader === null ? "header('webhook-id')" : `(header('webhook-id') ?? header('${idHeader}'))`;
  const call = types
    ? `await handle(${typeExpression(types.source, t)}, payload)`
    : `await handle(parsed(${payload.name}, payload))`;
  return `
/** Ids of handled events. For several processes, use a table with a unique key. */
const handled = new Set${t('<string>')}();
const underWay = new Set${t('<string>')}();

/** The status of the answer. hookrelay retries the event unless it is 2xx. */
async function receive(header${t(': Header')}, body${t(': Buffer')})${t(': Promise<{ status: number; text: string }>')} {
  if (!isAuthentic(header, body)) return { status: 401, text: 'invalid signature' };

  // Handles each event once, and once more for each replay.
  const isReplay = header('x-hookrelay-trigger') === 'replay';
  const id = isReplay ? header('x-hookrelay-delivery') : ${id};
  if (id && handled.has(id)) return { status: 200, text: 'handled before' };
  if (id && underWay.has(id)) return { status: 409, text: 'under way' };

  let payload${t(': unknown')};
  try {
    payload = ${parseExpression(payload.kind)};
  } catch {
    return { status: 400, text: 'unreadable body' };
  }

  if (id) underWay.add(id);
  try {
    ${call};
    if (id) remember(id);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    console.error('payload does not fit', id, error.message);
    return { status: 422, text: 'payload does not fit' };
  } finally {
    if (id) underWay.delete(id);
  }
  return { status: 200, text: 'ok' };
}

/** The payload hasn't the type that this handler was written for. */
class Misfit extends Error {}

/** The message of a \`Misfit\` names places and rules: values stay out of the log. */
function parsed${t('<T>')}(schema${t(': z.ZodType<T>')}, payload${t(': unknown')})${t(': T')} {
  const { data, error } = schema.safeParse(payload);
  if (!error) return data;
  // Names that the schema hasn't are keys of a map: the sender's data.
  const names = JSON.stringify(z.toJSONSchema(schema)).match(/"(?:[^"\\\\]|\\\\.)*"(?=:)/g);
  const isKnown = (part${t(': PropertyKey')}) =>
    typeof part === 'number' || names?.includes(JSON.stringify(part));
  const misfits = error.issues.slice(0, 5).map(({ path, message }) => {
    return [path.map((part) => (isKnown(part) ? String(part) : '*')).join('.'), message];
  });
  throw new Misfit(JSON.stringify(misfits));
}

function remember(id${t(': string')})${t(': void')} {
  handled.add(id);
  for (const oldest of handled) {
    if (handled.size <= MAX_HANDLED) break;
    handled.delete(oldest);
  }
}
${types && 'paths' in types.source ? typeReading(t) : ''}`;
}

function typeReading(t: Annotate): string {
  return `${t('\n/** Any JSON value, for reading a member by name. */\ntype Any = { [name: string]: Any } | null | undefined;\n')}
function text(value${t(': unknown')})${t(': string')} {
  return typeof value === 'string' ? value : '';
}
`;
}

function typeExpression(source: NonNullable<HandlerPlan['types']>['source'], t: Annotate): string {
  if ('header' in source) return `header('${source.header}') ?? ''`;
  const value = t.isTyped ? '(payload as Any)' : 'payload';
  const reads = source.paths.map((path) => `${value}${path.map(memberOf).join('')}`);
  return `text(${reads.join(' ?? ')})`;
}

function memberOf(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? `?.${name}` : `?.['${name}']`;
}

/** `TextDecoder` removes a byte order mark, which `JSON.parse` rejects. */
const JSON_TEXT = 'new TextDecoder().decode(body)';

function parseExpression(kind: HandlerPlan['payload']['kind']): string {
  switch (kind) {
    case 'json':
      return `JSON.parse(${JSON_TEXT})`;
    case 'ndjson':
      return `${JSON_TEXT}.split('\\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line))`;
    case 'json-in-form':
      return "JSON.parse(new URLSearchParams(body.toString('utf8')).get('payload') ?? '')";
    case 'form':
      return "Object.fromEntries(new URLSearchParams(body.toString('utf8')))";
    case 'text':
      return "body.toString('utf8')";
    case 'binary':
      return "body.toString('base64')";
    case 'empty':
      return 'null';
  }
}
