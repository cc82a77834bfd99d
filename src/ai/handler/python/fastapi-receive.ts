import type { HandlerPlan, TypeSource } from '../plan.ts';

export function fastapiHandle({ types, payload }: HandlerPlan): string {
  const intro = `    """Your code. Finish within seconds: hookrelay waits 10 s for the answer.

    Put longer work into a queue, and return. Raise to have the event sent again.
    """`;
  if (!types) {
    return `
async def handle(payload: ${payload.name}) -> None:
${intro}
    # TODO: your code.
`;
  }
  return `
async def handle(event_type: str, payload: Any) -> None:
${intro}
    if event_type == "${types.value}":
        event = parsed(${payload.name}, payload)
        # TODO: your code.
    else:
        # The answer is success too: after an error, the event would be sent again.
        logging.info("not handled: %.100r", event_type)
`;
}

/**
 * Returns the Python code that receives a request, and calls the user's code once for each event.
 */
export function fastapiReceive({ types, payload, idHeader, method }: HandlerPlan): string {
  const id =
    idHeader === null
      ? 'headers.get("webhook-id")'
      : `headers.get("webhook-id") or headers.get("${idHeader}")`;
  const call = types
    ? `handle(${typeExpression(types.source)}, payload)`
    : `handle(parsed(${payload.name}, payload))`;
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
        payload = ${readExpression(payload.kind)}
    except (ValueError, RecursionError):
        return Response("unreadable body", 400)

    if id:
        under_way.add(id)
    try:
        await ${call}
    except Misfit as misfit:
        logging.error("the payload of %.100r does not fit: %s", id, misfit)
        return Response("payload does not fit", 422)
    except Exception as error:
        # An error's text may quote the payload, so the log has its type and its place.
        place = "".join(traceback.format_tb(error.__traceback__))
        logging.error("webhook %.100r failed: %s\\n%s", id, type(error).__name__, place)
        return Response("failed", 500)
    finally:
        if id:
            under_way.discard(id)
    if id:
        handled[id] = None
        while len(handled) > MAX_HANDLED:
            del handled[next(iter(handled))]
    return Response("ok")
${parsing(payload.code)}${types !== null && 'paths' in types.source ? TEXT_AT : ''}`;
}

function typeExpression(source: TypeSource): string {
  if ('header' in source) return `headers.get("${source.header}", "")`;
  const reads = source.paths.map(
    (path) => `text_at(payload, ${path.map((name) => `"${name}"`).join(', ')})`,
  );
  return `${reads.join(' or ')} or ""`;
}

function readExpression(kind: HandlerPlan['payload']['kind']): string {
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

function parsing(code: string): string {
  // The path of a value in a map contains the map's key, which is the sender's data.
  const hasMaps = code.includes('dict[str, ');
  return `
class Misfit(Exception):
    """A payload that doesn't fit its model."""

Model = TypeVar("Model", bound=BaseModel)

def parsed(model: type[Model], payload: Any) -> Model:
    """The payload as its model. Raises Misfit, which has places and rules but no values."""
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        places = [f"{${hasMaps ? "known(one['loc'])" : "one['loc']"}!r} {one['type']}" for one in found[:5]]
        raise Misfit("; ".join(places)) from None
${hasMaps ? KNOWN : ''}`;
}

const KNOWN = `
def known(place: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """A place without the keys of maps: the sender chooses them."""
    models = BaseModel.__subclasses__()
    fields = [field for model in models for field in model.model_fields.items()]
    names = {field.alias or name for name, field in fields}
    return tuple(part if isinstance(part, int) or part in names else "*" for part in place)
`;

const TEXT_AT = `
def text_at(value: Any, *path: str) -> str | None:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None
`;
