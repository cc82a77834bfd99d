import { environment, senderLine } from '../intro.ts';
import type { HandlerPlan } from '../plan.ts';
import { comment, declarations, joined } from '../text.ts';
import { ginHandle } from './gin-handle.ts';
import { ginReceive } from './gin-receive.ts';
import { ginVerification } from './gin-verify.ts';
import { goImports } from './go-imports.ts';

export function gin(plan: HandlerPlan): string {
  const { toleranceS } = plan;
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
    ginHandle(plan),
    ginReceive(plan),
    ginVerification(plan),
    declarations('//', plan),
  );
  return joined(
    [
      comment('//', [
        senderLine('Package webhooks receives', plan),
        '',
        '\twebhooks.Register(router)',
        '',
        ...environment(plan),
      ]),
      'package webhooks',
    ].join('\n'),
    goImports(body),
    body,
  );
}
