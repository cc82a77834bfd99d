import { environment } from './node-handler.ts';
import { DESTINATION_SECRET, type HandlerPlan } from './plan.ts';
import { comment, joined } from './text.ts';

/** The module of a handler for FastAPI. */
export function fastapi(plan: HandlerPlan): string {
  const { payload, toleranceS } = plan;
  const body = joined(
    `router = APIRouter()\n${toleranceS === null ? '' : `# Largest difference between a signature's time and now, in seconds.\nTOLERANCE_S = ${toleranceS / 60} * 60\n`}# hookrelay captures up to 25 MiB by default.\nMAX_BODY_BYTES = 25 * 1024 * 1024\n# Number of handled ids that are remembered.\nMAX_HANDLED = 10_000`,
    [comment('#', payload.notes), payload.code].filter((text) => text !== '').join('\n'),
    handle(plan),
    route(plan),
    verification(plan),
  ).replaceAll(/\n\n(?=(?:async )?def |@router|[A-Z]\w* = TypedDict|# Ids of)/g, '\n\n\n');
  return joined(
    comment('#', [
      `Receives ${plan.sender ? `${plan.sender}'s webhooks` : 'webhooks'}, delivered by hookrelay.`,
      'Python 3.11 or later.',
      '',
      '  from webhooks import router',
      '  app.include_router(router, prefix="/webhooks")',
      '',
      ...environment(plan),
    ]),
    imports(body),
  ).concat('\n', body);
}

/** The imports of the standard library that the code uses, then FastAPI's. */
function imports(code: string): string {
  const modules = ['base64', 'hashlib', 'hmac', 'json', 'logging', 'os', 'time'].filter((name) =>
    new RegExp(`\\b${name}\\.`).test(code),
  );
  const typing = ['Any', 'Literal', 'NotRequired', 'TypeAlias', 'TypedDict', 'cast'].filter(
    (name) => new RegExp(`\\b${name}\\b(?!")`).test(code),
  );
  return [
    ...modules.map((name) => `import ${name}`),
    ...(typing.length > 0 ? [`from typing import ${typing.join(', ')}`] : []),
    ...(code.includes('parse_qsl(') ? ['from urllib.parse import parse_qsl'] : []),
    '',
    'from fastapi import APIRouter, Request, Response',
    'from starlette.datastructures import Headers',
  ].join('\n');
}

function handle({ types, payload }: HandlerPlan): string {
  const intro = `    """Your code. Finish within seconds: hookrelay waits 10 s for the answer.

    Put longer work into a queue, and return. Raise to have the event sent again.
    """`;
  if (!types) {
    return `
async def handle(payload: ${payload.name}) -> None:
${intro}
    # TODO: your code.
    logging.info("received %r", payload)
`;
  }
  return `
async def handle(event_type: str, payload: Any) -> None:
${intro}
    if event_type == "${types.value}":
        event = cast(${payload.name}, payload)
        # TODO: your code.
        logging.info("received %s: %r", event_type, event)
    else:
        # The answer is success too: after an error, the event would be sent again.
        logging.info("not handled: %s", event_type)
`;
}

function route(plan: HandlerPlan): string {
  const { types, payload, idHeader, method } = plan;
  const id =
    idHeader === null
      ? 'headers.get("webhook-id")'
      : `headers.get("webhook-id") or headers.get("${idHeader}")`;
  const call = types
    ? `await handle(${typeExpression(types.source)}, payload)`
    : `await handle(${payload.kind === 'empty' ? 'payload' : `cast(${payload.name}, payload)`})`;
  const needsPath = types !== null && 'paths' in types.source;
  return `
# Ids of handled events. For several processes, use a table with a unique key.
handled: dict[str, None] = {}
under_way: set[str] = set()


@router.${method.toLowerCase()}("")
async def receive(request: Request) -> Response:
    headers = request.headers
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            return Response("too large", 413)
    if not is_authentic(headers, body):
        return Response("invalid signature", 401)

    # Handles each event once, and once more for each replay.
    is_replay = headers.get("x-hookrelay-trigger") == "replay"
    id = headers.get("x-hookrelay-delivery") if is_replay else ${id}
    if id and id in handled:
        return Response("handled before")
    if id and id in under_way:
        return Response("under way", 409)

    try:
        payload = ${parseExpression(payload.kind)}
    except (ValueError, RecursionError):
        return Response("unreadable body", 400)

    if id:
        under_way.add(id)
    try:
        ${call}
    except Exception:
        logging.exception("webhook failed")
        return Response("failed", 500)
    finally:
        if id:
            under_way.discard(id)
    if id:
        handled[id] = None
        while len(handled) > MAX_HANDLED:
            del handled[next(iter(handled))]
    return Response("ok")
${
  needsPath
    ? `

def text_at(value: Any, *path: str) -> str | None:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None
`
    : ''
}`;
}

function typeExpression(source: NonNullable<HandlerPlan['types']>['source']): string {
  if ('header' in source) return `headers.get("${source.header}", "")`;
  const reads = source.paths.map(
    (path) => `text_at(payload, ${path.map((name) => `"${name}"`).join(', ')})`,
  );
  return `${reads.join(' or ')} or ""`;
}

function parseExpression(kind: HandlerPlan['payload']['kind']): string {
  switch (kind) {
    case 'json':
      return 'json.loads(body)';
    case 'ndjson':
      return '[json.loads(line) for line in body.splitlines() if line.strip()]';
    case 'json-in-form':
      return 'json.loads(dict(parse_qsl(body.decode())).get("payload", ""))';
    case 'form':
      return 'dict(parse_qsl(body.decode(), keep_blank_values=True))';
    case 'text':
      return 'body.decode()';
    case 'binary':
      return 'base64.b64encode(body).decode()';
    case 'empty':
      return 'None';
  }
}

function verification({ own, secretVariable }: HandlerPlan): string {
  const secret = `secret_in("${secretVariable}")`;
  if (!own) {
    return `
def is_authentic(headers: Headers, body: bytearray) -> bool:
    """Whether the request has a valid Standard Webhooks signature within the tolerance."""
    return is_signed(headers, body, ${secret})
${STANDARD}${RECENT}${COMMON}`;
  }
  const { hash, encoding, prefix, time } = own.scheme;
  const before = prefix && `"${prefix}" + `;
  /** The line that computes the expected signature, and the expression that holds it. */
  const expectedOf = (signed: string) => {
    const hmac = `hmac.new(${secret}.encode(), ${signed}, hashlib.${hash})`;
    return encoding === 'hex'
      ? { line: `expected = ${before}${hmac}.hexdigest()`, value: 'expected' }
      : {
          line: `digest = ${hmac}.digest()`,
          value: `${before}base64.b64encode(digest).decode()`,
        };
  };
  if (!time) {
    const expected = expectedOf('body');
    return `
def is_authentic(headers: Headers, body: bytearray) -> bool:
    """Whether ${own.provider} signed exactly these bytes."""
    ${expected.line}
    return is_same(headers.get("${own.header}", ""), ${expected.value})
${COMMON}`;
  }
  const isTheirs = `is_${own.word.toLowerCase()}s`;
  const expected = expectedOf('signed');
  const signed = `signed = ${time.before && `b"${time.before}" + `}timestamp.encode() + b"${time.after}" + body
    ${expected.line}`;
  const { place } = time;
  const check =
    'timeField' in place
      ? `    parts = [part.strip().partition("=") for part in headers.get("${own.header}", "").split(",")]
    timestamp = next((value for name, _, value in parts if name == "${place.timeField}"), "")
    ${signed}
    ${isTheirs} = any(is_same(value, ${expected.value}) for name, _, value in parts if name == "${place.signatureField}")`
      : `    timestamp = headers.get("${place.header.toLowerCase()}", "")
    ${signed}
    ${isTheirs} = is_same(headers.get("${own.header}", ""), ${expected.value})`;
  return `
def is_authentic(headers: Headers, body: bytearray) -> bool:
    """Whether ${own.provider} signed exactly these bytes, and the request isn't an attacker's copy."""
${check}
    return ${isTheirs} and (is_recent(timestamp) or is_delivery(headers, body))
${delivery(own.provider)}`;
}

function delivery(sender: string): string {
  return `
def is_delivery(headers: Headers, body: bytearray) -> bool:
    """Whether hookrelay signed this attempt.

    ${sender} signs an event once, so retries and replays by hookrelay can exceed the
    tolerance. hookrelay signs each attempt: give the destination a secret, and put
    it into ${DESTINATION_SECRET} too.
    """
    secret = os.environ.get("${DESTINATION_SECRET}")
    return is_signed(headers, body, secret) if secret else False
${STANDARD}${RECENT}${COMMON}`;
}

const STANDARD = `
def is_signed(headers: Headers, body: bytearray, secret: str) -> bool:
    """Verifies a Standard Webhooks signature: the HMAC of id, timestamp and body."""
    id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if id == "" or not is_recent(timestamp):
        return False
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    if not key:
        raise RuntimeError("the webhook secret is empty: anyone could sign")
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(is_same(signature, expected) for signature in signatures)
`;

const RECENT = `
def is_recent(timestamp: str) -> bool:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    return abs(time.time() - int(timestamp)) <= TOLERANCE_S
`;

const COMMON = `
def is_same(given: str, expected: str) -> bool:
    """Compares in constant time: the duration reveals nothing about the expected signature."""
    return hmac.compare_digest(given.encode(), expected.encode())

def secret_in(variable: str) -> str:
    secret = os.environ.get(variable)
    if not secret:
        raise RuntimeError(f"{variable} is not set: no request can be verified")
    return secret
`;
