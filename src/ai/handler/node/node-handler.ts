import { environment, senderLine } from '../intro.ts';
import type { HandlerPlan } from '../plan.ts';
import { comment, declarations, joined } from '../text.ts';
import { nodeHandle, nodeHead, nodeReceive } from './node-receive.ts';
import type { Annotate } from './node-verify.ts';
import { nodeVerification } from './node-verify.ts';

/** The parts of a handler that depend on the Node framework. */
export interface NodeFramework {
  /** The handler's file, without its extension. */
  module: 'webhooks' | 'route';
  needs: string;
  /** Returns comment lines: where the file belongs, and how to use it. */
  usage(extension: Annotate['extension']): string[];
  imports(t: Annotate): string[];
  /** Returns the code that calls `receive` for each request. */
  route(method: HandlerPlan['method'], t: Annotate): string;
  /**
   * Two parts of the test: its imports, and `send(headers, body)`, which resolves to the status of
   * the answer.
   */
  test: {
    imports(method: HandlerPlan['method'], t: Annotate): string[];
    send(method: HandlerPlan['method'], t: Annotate): string;
  };
}

export function nodeHandler(plan: HandlerPlan, framework: NodeFramework, t: Annotate): string {
  const { name } = plan.payload;
  return joined(
    comment('//', [
      senderLine('Receives', plan),
      ...framework.usage(t.extension),
      '',
      `Needs ${framework.needs} and zod 4.`,
      ...environment(plan),
    ]),
    [
      "import { createHmac, timingSafeEqual } from 'node:crypto';",
      ...framework.imports(t),
      "import { z } from 'zod';",
    ].join('\n'),
    nodeHead(plan, t),
    nodeHandle(plan, t),
    framework.route(plan.method, t),
    nodeReceive(plan, t),
    nodeVerification(plan, t),
    declarations('//', plan),
    t(`type ${name} = z.infer<typeof ${name}>;`),
  );
}
