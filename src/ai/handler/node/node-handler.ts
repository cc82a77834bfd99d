import { DESTINATION_SECRET, type HandlerPlan } from '../plan.ts';
import { comment, joined } from '../text.ts';
import { nodeHandle, nodeHead, nodeReceive } from './node-receive.ts';
import type { Annotate } from './node-verify.ts';
import { nodeVerification } from './node-verify.ts';

/** The parts of a handler that depend on the Node framework. */
export interface NodeFramework {
  /** The handler's file, without its extension. */
  module: 'webhooks' | 'route';
  /** What the handler runs in: `express 5`. */
  needs: string;
  /** Comment lines: the place of the file, and its use. */
  usage(extension: 'ts' | 'js'): string[];
  imports(t: Annotate): string[];
  /** The code that calls `receive` for each request. */
  route(method: HandlerPlan['method'], t: Annotate): string;
  /** For the test: its imports, and `send(headers, body)`, which resolves to the answer's status. */
  test: {
    imports(extension: 'ts' | 'js', method: HandlerPlan['method'], t: Annotate): string[];
    send(method: HandlerPlan['method'], t: Annotate): string;
  };
}

const OWN_SECRET = "the secret of hookrelay's destination";

/** The module of a TypeScript or JavaScript handler. */
export function nodeHandler(
  plan: HandlerPlan,
  framework: NodeFramework,
  language: 'typescript' | 'javascript',
): string {
  const isTyped = language === 'typescript';
  const t: Annotate = Object.assign((types: string) => (isTyped ? types : ''), { isTyped });
  return joined(
    comment('//', [
      `Receives ${plan.sender ? `${plan.sender}'s webhooks` : 'webhooks'}, delivered by hookrelay.`,
      ...framework.usage(isTyped ? 'ts' : 'js'),
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
    [comment('//', plan.payload.notes), plan.payload.code].filter((text) => text !== '').join('\n'),
    isTyped ? `type ${plan.payload.name} = z.infer<typeof ${plan.payload.name}>;` : null,
  );
}

/** Comment lines on the environment variables that a handler needs. */
export function environment({ own, secretVariable }: HandlerPlan): string[] {
  if (!own) return [`${secretVariable}: ${OWN_SECRET}.`];
  const {
    secret,
    scheme: { time },
  } = own;
  const lines = [`${secretVariable}: ${secret.name}.`];
  if (time) lines.push(`${DESTINATION_SECRET}: ${OWN_SECRET}, for retries and replays.`);
  return lines;
}
