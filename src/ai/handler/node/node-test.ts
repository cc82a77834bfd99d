import {
  fieldsOf,
  type HandlerPart,
  type HandlerScheme,
  prefixOf,
  STANDARD,
  timeHeaderOf,
} from '../handler-scheme.ts';
import { bodyLiterals } from '../literals.ts';
import type { HandlerPlan } from '../plan.ts';
import { SAMPLE_FILE } from '../sample.ts';
import { testSecret } from '../test-secret.ts';
import { comment, joined } from '../text.ts';
import { unfitBody } from '../unfit-body.ts';
import type { NodeFramework } from './node-handler.ts';
import type { Annotate } from './node-verify.ts';

/** Returns the test of a handler, for `node --test`. */
export function nodeTest(plan: HandlerPlan, framework: NodeFramework, t: Annotate): string {
  const { isTyped, extension } = t;
  const { module } = framework;
  const body = joined(
    head(plan),
    sample(plan, t),
    framework.test.send(plan.method, t),
    signing(plan, t),
    tests(plan),
  );
  return joined(
    comment('//', [
      `Sends the captured webhook to ${module}.${extension}, signed right and wrong:`,
      '',
      `  node --test ${module}.test.${extension}`,
      ...(isTyped ? ['', 'Node 22.18 or later runs TypeScript as it is.'] : []),
    ]),
    [
      "import assert from 'node:assert/strict';",
      "import { createHmac } from 'node:crypto';",
      ...(plan.sample.body === null ? ["import { readFileSync } from 'node:fs';"] : []),
      "import { test } from 'node:test';",
      ...framework.test.imports(plan.method, t),
    ].join('\n'),
    body,
  );
}

function head({ own, secretVariable }: HandlerPlan): string {
  const { key } = (own ?? STANDARD).scheme;
  const secret = testSecret(key, 'the secret of this test');
  const other = testSecret(key, 'another secret');
  return `
const SECRET = '${secret}';
const ANOTHER_SECRET = '${other}';
process.env.${secretVariable} = SECRET;
`;
}

function sample({ sample: { headers, body, eventId } }: HandlerPlan, t: Annotate): string {
  const lines = headers.map(([name, value]) => `  ${text(name)}: ${text(value)},\n`).join('');
  const declared = `const HEADERS${t(': Record<string, string>')} = {\n${lines}};`;
  if (body === null) {
    return `${declared}
// The captured body is large: hookrelay events raw ${eventId} >${SAMPLE_FILE}
const BODY = readFileSync(new URL('./${SAMPLE_FILE}', import.meta.url));
`;
  }
  const { isBase64, literals } = bodyLiterals(body, escaped);
  const encoding = isBase64 ? ", 'base64'" : '';
  return `${declared}
/** The captured body. */
const BODY = Buffer.from(
  [
${literals.map((line) => `    ${line},\n`).join('')}  ].join('')${encoding},
);
`;
}

function text(value: string): string {
  return bodyLiterals(Buffer.from(value), escaped).literals.join(' + ') || "''";
}

function escaped(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}

/**
 * Returns `signed(body, secret, ageS)`. It makes the headers of a request that the sender signed
 * `ageS` seconds ago.
 */
function signing({ own, toleranceS }: HandlerPlan, t: Annotate): string {
  const { header, scheme } = own ?? STANDARD;
  const { encoding, hash, time } = scheme;
  const age = toleranceS === null ? '' : `, ageS${t(': number')} = 0`;
  const parameters = `body${t(': Buffer')}, secret${t(': string')}${age}`;
  const sent = time
    ? {
        s: 'String(at)',
        ms: 'String(at * 1000)',
        iso: 'new Date(at * 1000).toISOString()',
        any: 'String(at)',
      }[time.unit]
    : '';
  const updates = scheme.signed.map((part) => `.update(${partExpression(part)})`).join('');
  const fields = fieldsOf(scheme);
  const value = fields
    ? `\`${fields.time === null ? '' : `${fields.time}=\${time}${fields.separator}`}${fields.signature}=\${signature}\``
    : 'signature';
  const timeHeader = timeHeaderOf(scheme);
  // The ids that the signature covers.
  const ids = scheme.signed.flatMap((part) =>
    typeof part === 'object' && 'header' in part && part.header !== 'webhook-id'
      ? `'${part.header.toLowerCase()}': id, `
      : [],
  );
  return `
let sent = 0;

/** The headers of one more event, signed by ${own?.provider ?? 'hookrelay'}. */
function signed(${parameters})${t(': Record<string, string>')} {
  const id = \`evt_test_\${++sent}\`;
${time ? `  const at = Math.floor(Date.now() / 1000) - ageS;\n  const time = ${sent};\n` : ''}  const hmac = createHmac('${hash}', ${keyOf(scheme.key)})${updates};
  const signature = ${prefixOf(scheme) && `'${prefixOf(scheme)}' + `}hmac.digest('${encoding}');
  return { ...HEADERS, 'webhook-id': id, ${ids.join('')}${timeHeader ? `'${timeHeader}': time, ` : ''}'${header}': ${value} };
}
`;
}

function partExpression(part: HandlerPart): string {
  if (part === 'body') return 'body';
  if (part === 'time') return 'time';
  return 'text' in part ? `'${part.text}'` : 'id';
}

function keyOf(key: HandlerScheme['key']): string {
  if (key === 'text') return 'secret';
  return key === 'standard'
    ? "Buffer.from(secret.slice('whsec_'.length), 'base64')"
    : `Buffer.from(secret, '${key}')`;
}

function tests(plan: HandlerPlan): string {
  const { own, toleranceS } = plan;
  const stale =
    toleranceS === null
      ? `// ${own?.provider ?? 'The sender'}'s signature has no time, so none is too old.`
      : `
test('refuses a signature of ${(2 * toleranceS) / 60} minutes ago', async () => {
  assert.equal(await send(signed(BODY, SECRET, ${2 * toleranceS}), BODY), 401);
});
`;
  const unfit = unfitBody(plan);
  const misfit =
    unfit === null
      ? null
      : `
test('refuses a payload of another type', async () => {
  const body = Buffer.from(${text(unfit)});
  assert.equal(await send(signed(body, SECRET), body), 422);
});
`;
  return joined(
    `
test('takes the captured webhook', async () => {
  assert.equal(await send(signed(BODY, SECRET), BODY), 200);
});
`,
    `
test('refuses the signature of another secret', async () => {
  assert.equal(await send(signed(BODY, ANOTHER_SECRET), BODY), 401);
});
`,
    `
test('refuses a body that was changed', async () => {
  assert.equal(await send(signed(BODY, SECRET), Buffer.concat([BODY, Buffer.from(' ')])), 401);
});
`,
    stale,
    misfit,
  );
}
