import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { generateHandler } from '../../../src/ai/handler/generate-handler.ts';
import { handlerScheme } from '../../../src/ai/handler/handler-scheme.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { PROVIDERS } from '../../../src/providers/providers.ts';
import { ability, runs } from '../../fixtures/machine.ts';
import { jsonEvent } from '../ai-events.ts';

/*
 * The verification of every generated handler, alone, against the house's signers: a good signature,
 * one of another secret, another body, an old one, and none.
 */

const types = new TypeGenerator();
const dir = mkdtempSync(join(tmpdir(), 'hookrelay-schemes-'));
afterAll(async () => {
  await types.close();
  rmSync(dir, { recursive: true });
});

const SIGNED = PROVIDERS.flatMap((provider) => {
  const { signature, proof } = provider;
  const scheme = signature?.scheme;
  const isSvix = signature?.header === 'svix-signature';
  const isHandled =
    isSvix || (scheme && handlerScheme(scheme) && scheme.header === signature.header);
  return proof && signature?.signer && isHandled && !/^webhook-signature$/.test(signature.header)
    ? [{ provider, signer: signature.signer, isTimed: isSvix || !!scheme?.time }]
    : [];
});

interface Sent {
  name: string;
  headers: Record<string, string>;
  body: string;
  secret: string;
  isRight: boolean;
}

function sendings(): Sent[] {
  const now = Math.floor(Date.now() / 1000);
  return SIGNED.flatMap(({ provider: { name }, signer, isTimed }): Sent[] => {
    const key = signer.testSecret;
    const encoding = /^[\da-f]+$/.test(key) ? 'hex' : 'base64';
    const isText = key === 'hookrelay-test-secret';
    const other = isText
      ? 'another secret'
      : key.startsWith('whsec_')
        ? `whsec_${Buffer.from('another secret').toString('base64')}`
        : Buffer.from('another secret').toString(encoding);
    const sent = (secret: string, age: number, body: string, isRight: boolean): Sent => {
      const signed = signer.sign(
        {
          ...{ method: 'POST', url: 'https://example.com/', body: Buffer.from('{"a":1}') },
          ...{ timestampS: now - age, deliveryId: 'evt_1', headers: [['svix-id', 'evt_1']] },
        },
        secret,
      );
      const headers = Object.fromEntries(
        signed.map(([header, value]) => [header.toLowerCase(), value]),
      );
      return { name, headers, body, secret: key, isRight };
    };
    return [
      sent(key, 0, '{"a":1}', true),
      sent(other, 0, '{"a":1}', false),
      sent(key, 0, '{"a":2}', false),
      ...(isTimed ? [sent(key, 7200, '{"a":1}', false)] : []),
      { ...sent(key, 0, '{"a":1}', false), headers: {} },
    ];
  });
}

async function handlers(language: string, framework: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { provider } of SIGNED) {
    const event = { ...jsonEvent('{"a":1}'), provider: provider.name };
    found.set(
      provider.name,
      (await generateHandler(event, { language, framework }, { types })).code,
    );
  }
  return found;
}

/** Returns what a program found out for each request, of one JSON line per request. */
function run(command: string, args: string[], sent: Sent[]): boolean[] {
  const input = JSON.stringify(sent);
  const { stdout, stderr, status } = spawnSync(command, args, { input, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as boolean[];
}

function compare(sent: Sent[], found: boolean[]): void {
  const shown = (right: boolean[]) => sent.map(({ name }, i) => `${name} ${i}: ${right[i]}`);
  expect(shown(found)).toEqual(shown(sent.map(({ isRight }) => isRight)));
}

test('there are handlers with the own signature of most HMAC providers', () => {
  expect(SIGNED.length).toBeGreaterThan(55);
});

test('Node: every provider’s signature, good and forged', async () => {
  const codes = await handlers('typescript', 'nextjs');
  const sent = sendings();
  const parts = [...codes].map(([name, code]) => {
    const variable = /(?:secretIn|keyIn)\('(\w+)'\)/.exec(code)?.[1];
    const own = stripTypeScriptTypes(code.slice(code.indexOf('/** Whether'), endOf(code)));
    const tolerance = /const TOLERANCE_S = .*/.exec(code)?.[0] ?? '';
    return `${JSON.stringify(name)}: ['${variable}', (() => { ${tolerance}\n${own}\nreturn isAuthentic; })()]`;
  });
  const file = join(dir, 'verify.mjs');
  writeFileSync(
    file,
    `import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
const all = {${parts.join(',\n')}};
console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(({ name, headers, body, secret }) => {
  process.env[all[name][0]] = secret;
  return all[name][1]((header) => headers[header.toLowerCase()], Buffer.from(body));
})));`,
  );
  compare(sent, run(process.execPath, [file], sent));
});

/** The types stand after the verification. */
function endOf(code: string): number {
  const at = code.search(/\n(?:\/\/ [^\n]*\n)*(?:const|export const) \w+ = z\./);
  return at < code.indexOf('/** Whether') ? code.length : at;
}

const hasPython = ability('Python 3.11', runs('python3', '-c', 'import tomllib'), false);

test.skipIf(!hasPython)('Python: every provider’s signature, good and forged', async () => {
  const codes = await handlers('python', 'fastapi');
  const sent = sendings();
  const parts = [...codes].map(([name, code]) => {
    const variable = /(?:secret_in|key_in)\("(\w+)"\)/.exec(code)?.[1];
    const own = code.slice(code.indexOf('def is_authentic'));
    const tolerance = /TOLERANCE_S = .*/.exec(code)?.[0] ?? '';
    const source = JSON.stringify(`${tolerance}\n${own}`);
    return `space = dict(base)\nexec(${source}, space)\nall["${name}"] = ("${variable}", space["is_authentic"])`;
  });
  const file = join(dir, 'verify.py');
  writeFileSync(
    file,
    `import base64, hashlib, hmac, json, os, sys, time
from datetime import datetime
from email.utils import parsedate_to_datetime
Headers = dict
base = dict(globals())
all = {}
${parts.join('\n')}
found = []
for one in json.load(sys.stdin):
    variable, check = all[one["name"]]
    os.environ[variable] = one["secret"]
    found.append(check(one["headers"], bytearray(one["body"].encode())))
print(json.dumps(found))
`,
  );
  compare(sent, run('python3', [file], sent));
});
