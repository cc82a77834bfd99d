import { nodeHandle, nodeHead, nodeReceive } from './node-receive.ts';
import type { Annotate } from './node-verify.ts';
import { nodeVerification } from './node-verify.ts';
import { DESTINATION_SECRET, type HandlerPlan } from './plan.ts';
import { comment, joined } from './text.ts';

/** What is particular to a framework of Node. */
export interface NodeFramework {
  /** Where the file goes and how it is used: comment lines. */
  usage(extension: 'ts' | 'js'): string[];
  imports(t: Annotate): string[];
  /** Calls `receive` for each request. */
  route(method: HandlerPlan['method'], t: Annotate): string;
}

const OWN_SECRET = "the secret of hookrelay's destination";

/** The module of a TypeScript or JavaScript handler. JavaScript has no types: they would be comments, and the payload's names are the sender's. */
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
      ...environment(plan),
    ]),
    ["import { createHmac, timingSafeEqual } from 'node:crypto';", ...framework.imports(t)].join(
      '\n',
    ),
    nodeHead(plan, t),
    nodeHandle(plan, t),
    framework.route(plan.method, t),
    nodeReceive(plan, t),
    nodeVerification(plan, t),
    isTyped ? comment('//', plan.payload.notes) : null,
    isTyped ? plan.payload.code : null,
  );
}

/** What the environment must hold. */
export function environment({ own, secretVariable }: HandlerPlan): string[] {
  if (!own) return [`${secretVariable}: ${OWN_SECRET}.`];
  const { secret, time } = own.scheme;
  const lines = [`${secretVariable}: ${secret.name}.`];
  if (time) lines.push(`${DESTINATION_SECRET}: ${OWN_SECRET}, for retries and replays.`);
  return lines;
}
