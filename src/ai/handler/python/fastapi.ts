import { environment, senderLine } from '../intro.ts';
import type { HandlerPlan } from '../plan.ts';
import { comment, declarations, joined } from '../text.ts';
import { fastapiHandle, fastapiReceive } from './fastapi-receive.ts';
import { fastapiVerification } from './fastapi-verify.ts';
import { pythonImports, spaced } from './module.ts';

export function fastapi(plan: HandlerPlan): string {
  const { toleranceS } = plan;
  const body = spaced(
    joined(
      `router = APIRouter()\n${toleranceS === null ? '' : `# Largest difference between a signature's time and now, in seconds.\nTOLERANCE_S = ${toleranceS / 60} * 60\n`}# hookrelay captures up to 25 MiB by default.\nMAX_BODY_BYTES = 25 * 1024 * 1024\n# Number of handled ids that are remembered.\nMAX_HANDLED = 10_000`,
      declarations('#', plan),
      fastapiHandle(plan),
      fastapiReceive(plan),
      fastapiVerification(plan),
    ),
  );
  return joined(
    comment('#', [
      senderLine('Receives', plan),
      'Python 3.11 or later, pydantic 2.',
      '',
      '  from webhooks import router',
      '  app.include_router(router, prefix="/webhooks")',
      '',
      ...environment(plan),
    ]),
    pythonImports(body),
  ).concat('\n', body);
}
