import { quoted } from '../../learned/identifiers.ts';
import { bodyLiterals, longEscape } from '../literals.ts';
import { DESTINATION_SECRET, type HandlerPlan } from '../plan.ts';
import { type HandlerSample, SAMPLE_FILE } from '../sample.ts';
import { joined } from '../text.ts';
import { unfitBody } from '../unfit-body.ts';
import { pythonImports, spaced } from './module.ts';
import { testSignature } from './test-signature.ts';

export function fastapiTest(plan: HandlerPlan): string {
  const { method, sample, secretVariable, toleranceS } = plan;
  const signature = testSignature(plan);
  const misfit = unfitBody(plan);
  const headers = sample.headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},\n`);
  const body = spaced(
    joined(
      `${signature.secrets}
HEADERS: dict[str, str] = {${headers.length > 0 ? `\n${headers.join('')}` : ''}}
${bodyText(sample)}`,
      `
@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    monkeypatch.setenv("${secretVariable}", SECRET)
${secretVariable === DESTINATION_SECRET ? '' : `    monkeypatch.delenv("${DESTINATION_SECRET}", raising=False)\n`}    app = FastAPI()
    app.include_router(router, prefix="/webhooks")
    return TestClient(app)
${signature.code}
def answer(client: TestClient, body: bytes, signature: dict[str, str]) -> tuple[int, str]:
    """The handler's status and text."""
    headers = HEADERS | signature
    response = client.request("${method}", "/webhooks", content=body, headers=headers)
    return response.status_code, response.text

def test_handles_the_captured_event(client: TestClient) -> None:
    assert answer(client, BODY, signed(BODY)) == (200, "ok")

def test_handles_a_repeated_event_once(client: TestClient) -> None:
    signature = signed(BODY)
    assert answer(client, BODY, signature) == (200, "ok")
    assert answer(client, BODY, signature) == (200, "handled before")

def test_refuses_the_signature_of_another_secret(client: TestClient) -> None:
    assert answer(client, BODY, signed(BODY, secret=OTHER_SECRET))[0] == 401

def test_refuses_a_body_that_was_changed_after_signing(client: TestClient) -> None:
    changed = ${sample.body?.length === 0 ? 'b"x"' : 'BODY[:-1] + bytes([BODY[-1] ^ 1])'}
    assert answer(client, changed, signed(BODY))[0] == 401

${
  toleranceS === null
    ? `# ${plan.own?.provider} signs no time, so an old signature is as good as a new one.`
    : `def test_refuses_an_old_signature(client: TestClient) -> None:
    assert answer(client, BODY, signed(BODY, age_s=${2 * toleranceS}))[0] == 401`
}
${
  misfit === null
    ? ''
    : `
def test_refuses_a_payload_that_does_not_fit(client: TestClient) -> None:
    misfit = ${quoted(misfit)}.encode()
    assert answer(client, misfit, signed(misfit)) == (422, "payload does not fit")
`
}`,
    ),
  );
  return `# Tests webhooks.py, which stands beside it, with a captured request.
#
#   pip install "fastapi[standard]" pytest
#   pytest test_webhooks.py

${pythonImports(body)}

from webhooks import router

${body}`;
}

function bodyText({ body, eventId }: HandlerSample): string {
  if (body === null) {
    return `# The captured body is large: hookrelay events raw ${eventId} >${SAMPLE_FILE}
BODY = Path(__file__).with_name("${SAMPLE_FILE}").read_bytes()`;
  }
  const { isBase64, literals } = bodyLiterals(body, longEscape);
  if (literals.length === 0) return 'BODY = b""';
  const text = `(\n${literals.map((literal) => `    ${literal}\n`).join('')})`;
  return isBase64 ? `BODY = base64.b64decode${text}` : `BODY = ${text}.encode()`;
}
