import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { VerificationState } from '../../../src/core/proof/verification.ts';
import { fitsRule } from '../../../src/core/rules/evaluate.ts';
import { readTextRule } from '../../../src/core/rules/read-text.ts';
import { RequestParts } from '../../../src/core/rules/request-parts.ts';
import { bodyType } from '../../../src/providers/body-type.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');
const [, SECTION = ''] = DOCUMENT.split('## Recipes');
const [TABLE = ''] = SECTION.split('\n## ');
const RECIPES = [...TABLE.matchAll(/^\| (.+?) \| `(.+)` \|$/gm)].map(
  ([, name, rule]) => [name as string, rule as string] as const,
);

interface Sample {
  body?: string;
  headers?: Record<string, string>;
  path?: string;
  provider?: string;
  verification?: VerificationState;
  form?: boolean;
}

const json = (value: unknown): Sample => ({ body: JSON.stringify(value) });
const object = (members: object) => json({ data: { object: members } });

/** By recipe: an event that fits, and one that doesn't. */
const SAMPLES: Record<string, [fits: Sample, fitsNot: Sample]> = {
  'one type of event': [json({ type: 'invoice.paid' }), json({ type: 'invoice.voided' })],
  'a family of types': [json({ type: 'invoice.paid' }), json({ type: 'customer.created' })],
  'several types': [json({ type: 'invoice.voided' }), json({ type: 'invoice.created' })],
  'pushes to the main branch': [
    { ...json({ ref: 'refs/heads/main' }), headers: { 'X-GitHub-Event': 'push' } },
    { ...json({ ref: 'refs/heads/next' }), headers: { 'X-GitHub-Event': 'push' } },
  ],
  'pull requests that were merged': [
    json({ action: 'closed', pull_request: { merged: true } }),
    json({ action: 'closed', pull_request: { merged: false } }),
  ],
  'large payments': [
    object({ amount: 100_000, currency: 'eur' }),
    object({ amount: 99_999, currency: 'eur' }),
  ],
  'live mode alone': [json({ livemode: true }), json({})],
  'everything but test events': [json({}), json({ livemode: false })],
  'orders with a certain article': [
    json({ line_items: [{ sku: 'B' }, { sku: 'A1' }] }),
    json({ line_items: [] }),
  ],
  'orders from some countries': [
    json({ shipping_address: { country_code: 'AT' } }),
    json({ shipping_address: { country_code: 'FR' } }),
  ],
  'events of one tenant': [
    { headers: { 'X-Tenant-Id': 'acme' } },
    { headers: { 'X-Tenant-Id': 'other' } },
  ],
  'one version of a path': [{ path: '/v2/orders' }, { path: '/v20' }],
  'text messages that say stop': [
    { form: true, body: 'From=%2B1&Body=+Stop+please' },
    { form: true, body: 'From=%2B1&Body=nonstop' },
  ],
  'events of one provider': [{ provider: 'paddle' }, { provider: 'github' }],
  'what the sender has proved': [{ verification: 'authenticated' }, { verification: 'unverified' }],
  'forgeries, and what is set up wrongly': [
    { verification: 'failed' },
    { verification: 'verified' },
  ],
  'small bodies': [{ body: 'x' }, { body: 'x'.repeat(65_537) }],
  'one large id': [
    { body: '{"id":12345678901234567890}' },
    { body: '{"id":12345678901234567891}' },
  ],
};

test('every recipe has its samples', () => {
  expect(RECIPES.map(([name]) => name)).toEqual(Object.keys(SAMPLES));
});

test.each(RECIPES)('%s', (name, rule) => {
  const [fits, fitsNot] = SAMPLES[name] as [Sample, Sample];
  expect([fitsSample(rule, fits), fitsSample(rule, fitsNot)]).toEqual([true, false]);
});

function fitsSample(
  rule: string,
  { body = '', headers = {}, path = '', provider, form, verification }: Sample,
) {
  const parts = new RequestParts(
    {
      ...{ method: 'POST', path, query: '', rawHeaders: Object.entries(headers).flat() },
      contentType: form ? 'application/x-www-form-urlencoded' : 'application/json',
      body: Buffer.from(body),
      ...{ provider: provider ?? null, eventType: null, sourceIp: '192.0.2.1' },
      verification: verification === undefined ? null : { state: verification },
    },
    bodyType,
  );
  return fitsRule(readTextRule(rule), parts);
}
