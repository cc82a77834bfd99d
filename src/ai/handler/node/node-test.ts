import { bodyLiterals } from '../literals.ts';
import type { HandlerPlan, OwnSignature } from '../plan.ts';
import { SAMPLE_FILE } from '../sample.ts';
import { comment, joined } from '../text.ts';
import type { NodeFramework } from './node-handler.ts';
import type { Annotate } from './node-verify.ts';

/** The test of a handler, for `node --test`. */
export function nodeTest(
  plan: HandlerPlan,
  framework: NodeFramework,
  language: 'typescript' | 'javascript',
): string {
  const isTyped = language === 'typescript';
  const t: Annotate = Object.assign((types: string) => (isTyped ? types : ''), { isTyped });
  const extension = isTyped ? 'ts' : 'js';
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
      ...framework.test.imports(extension, plan.method, t),
    ].join('\n'),
    body,
  );
}

function head({ own, secretVariable }: HandlerPlan): string {
  const secret = own ? 'the secret of this test' : 'whsec_dGhlIHNlY3JldCBvZiB0aGlzIHRlc3Q=';
  const other = own ? 'another secret' : 'whsec_YW5vdGhlciBzZWNyZXQ=';
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

/** `signed(body, secret, ageS)`: the headers of a request that the sender signs now, or signed before. */
function signing({ own, toleranceS }: HandlerPlan, t: Annotate): string {
  const age = toleranceS === null ? '' : `, ageS${t(': number')} = 0`;
  const time = 'const time = Math.floor(Date.now() / 1000) - ageS;';
  const parameters = `body${t(': Buffer')}, secret${t(': string')}${age}`;
  return `
let sent = 0;

/** The headers of one more event, signed by ${own?.provider ?? 'hookrelay'}. */
function signed(${parameters})${t(': Record<string, string>')} {
  const id = \`evt_test_\${++sent}\`;
${own ? ownHeaders(own, time) : standardHeaders(time)}
}
`;
}

function ownHeaders({ header, scheme }: OwnSignature, timeLine: string): string {
  const { hash, encoding, prefix, time } = scheme;
  const value = (hmac: string) =>
    `${prefix && `'${prefix}' + `}${hmac}.update(body).digest('${encoding}')`;
  const hmac = `createHmac('${hash}', secret)`;
  const common = "...HEADERS, 'webhook-id': id";
  if (!time) {
    return `  const signature = ${value(hmac)};
  return { ${common}, '${header}': signature };`;
  }
  const { place, before, after } = time;
  const timed = `${hmac}.update(\`${before}\${time}${after}\`)`;
  return `  ${timeLine}
  const signature = ${value(timed)};
  return { ${common}, ${
    'timeField' in place
      ? `'${header}': \`${place.timeField}=\${time},${place.signatureField}=\${signature}\``
      : `'${place.header.toLowerCase()}': String(time), '${header}': signature`
  } };`;
}

function standardHeaders(timeLine: string): string {
  return `  ${timeLine}
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const hmac = createHmac('sha256', key).update(\`\${id}.\${time}.\`).update(body);
  return {
    ...HEADERS,
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': 'v1,' + hmac.digest('base64'),
  };`;
}

function tests({ own, toleranceS, payload, types }: HandlerPlan): string {
  const stale =
    toleranceS === null
      ? `// ${own?.provider ?? 'The sender'}'s signature has no time, so none is too old.`
      : `
test('refuses a signature of ${(2 * toleranceS) / 60} minutes ago', async () => {
  assert.equal(await send(signed(BODY, SECRET, ${2 * toleranceS}), BODY), 401);
});
`;
  const unfit = unfitBody(payload, types);
  const misfit =
    unfit === null
      ? null
      : `
test('refuses a payload of another type', async () => {
  const body = Buffer.from(${unfit});
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

/** The expression of a body that the schema surely refuses, and that reaches it; null without a simple one. */
function unfitBody(
  { kind, name, code }: HandlerPlan['payload'],
  types: HandlerPlan['types'],
): string | null {
  const isOfParts = new RegExp(`^const ${name} = z\\.(?:object|array|record)\\(`, 'm').test(code);
  if (kind !== 'json' || !isOfParts) return null;
  if (!types || !('paths' in types.source)) return `'"no payload"'`;
  // The body names the event's type, and has a list where the schema has none.
  const [path = []] = types.source.paths;
  const rows = new RegExp(`^const ${name} = z\\.object\\(\\{\\n((?: {2}.*\\n)*)`, 'm').exec(code);
  const member = [...(rows?.[1] ?? '').matchAll(/^ {2}(\w+): (.*),$/gm)].find(
    ([, key, schema = '']) => key !== path[0] && !/^z\.(?:unknown|array|union)\(/.test(schema),
  )?.[1];
  if (member === undefined) return null;
  const typed = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), types.value);
  return `JSON.stringify(${JSON.stringify({ ...(typed as object), [member]: [] })})`;
}
