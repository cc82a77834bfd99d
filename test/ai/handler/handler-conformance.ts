import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { generateHandler } from '../../../src/ai/handler/generate-handler.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { storedShape } from '../../../src/core/shapes/stored-shape.ts';
import { deliveryHeaders } from '../../../src/delivery/transports/webhook/delivery-headers.ts';
import { findSample } from '../../../src/providers/find-sample.ts';
import { until } from '../../fixtures/until.ts';
import { capturedEvent, composed } from '../ai-events.ts';
import { githubForm, slackInteraction } from '../form-samples.ts';
import { githubExamples } from '../github-examples.ts';
import { shapeOf } from '../learned/shapes.ts';
import { FILES, type HandlerServer, type Handlers } from './handler-servers.ts';

/*
 * What every generated handler does in every language. The test sends as hookrelay
 * delivers: with the provider's signature from `trigger`, and our own from the
 * reference library of Standard Webhooks.
 */

const PROVIDER_SECRET = 'a-secret-of-the-provider';
const DESTINATION_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A sample of each scheme. Its name is also the module's. */
export const SCHEMES = {
  standard: { sample: findSample('gitlab.push'), secret: 'WEBHOOK_SECRET' },
  github: { sample: findSample('github.push'), secret: 'GITHUB_WEBHOOK_SECRET' },
  github_form: { sample: githubForm, secret: 'GITHUB_WEBHOOK_SECRET' },
  stripe: { sample: findSample('stripe.invoice.paid'), secret: 'STRIPE_WEBHOOK_SECRET' },
  shopify: { sample: findSample('shopify.orders.create'), secret: 'SHOPIFY_CLIENT_SECRET' },
  slack: { sample: findSample('slack.message'), secret: 'SLACK_SIGNING_SECRET' },
  slack_interaction: { sample: slackInteraction, secret: 'SLACK_SIGNING_SECRET' },
} as const;
type SchemeName = keyof typeof SCHEMES;
const NAMES = Object.keys(SCHEMES) as SchemeName[];
/** Samples whose signature has its own time. */
const TIMED: SchemeName[] = ['stripe', 'slack', 'slack_interaction'];

/** Bodies that need more than a JSON reader. Their name is also the module's. */
export const BODIES = {
  nothing: 'null',
  marked: '\ufeff{"type":"order.paid","id":null,"meta":{}}',
  lines: '{"type":"order.paid","by_day":{"2026-11-20":1}}\r\n\n{"type":"order.sent"}\n',
  numbered: '{"type":"order.paid","id":10,"meta":{}}',
  keyed: '{"by_day":{"2026-11-20":{"n":1},"2026-11-21":{"n":2}}}',
  in_form: 'v=2&payload=%5B%7B%22type%22%3A+%22order.paid+%E2%82%AC%22%7D%5D',
} as const;
type BodyName = keyof typeof BODIES;

export const contentTypeOf = (name: string) =>
  name === 'in_form' ? 'application/x-www-form-urlencoded' : 'application/json';

/** The payloads of one type, from which a handler's parser is learned. */
const LEARNED = githubExamples()
  .filter(({ name }) => name === 'issues')
  .map(({ payload }) => payload);
const LEARNED_HEADERS = ['content-type', 'application/json', 'x-github-event', 'issues'];
/** No log may have it. */
const MARKER = 'a-value-of-the-payload';

/** The events whose handlers are tested, by the name of their module. */
export function conformanceEvents() {
  const texts = LEARNED.map((payload) => JSON.stringify(payload));
  return [
    ...NAMES.map((name) => {
      const { headers, body } = composed(SCHEMES[name].sample);
      return { name, event: capturedEvent(headers, body), learned: null };
    }),
    ...Object.entries(BODIES).map(([name, body]) => {
      const event = capturedEvent(['content-type', contentTypeOf(name)], body);
      return { name, event, learned: null };
    }),
    {
      name: 'learned',
      event: capturedEvent(LEARNED_HEADERS, texts[0] as string),
      learned: storedShape(shapeOf(texts)),
    },
  ];
}

interface Sending {
  /** Age of the provider's signature, seconds. */
  age?: number;
  /** Age of the signature by the destination's secret, seconds; null: unsigned. */
  deliveryAge?: number | null;
  deliverySecret?: string;
  trigger?: 'capture' | 'replay';
  delivery?: string;
  event?: string;
  /** Changes the request on its way. */
  tamper?: (body: Buffer, headers: string[]) => Buffer;
}

export function describeHandlers(
  language: string,
  framework: string,
  start: (handlers: Handlers, env: Record<string, string>) => Promise<HandlerServer>,
): void {
  const types = new TypeGenerator();
  let server: HandlerServer;
  let bare: HandlerServer;
  let lastEvent = 0;

  beforeAll(async () => {
    const handlers: Record<string, string> = {};
    for (const { name, event, learned } of conformanceEvents()) {
      const target = { language, framework };
      handlers[name] = (await generateHandler(event, target, { types, learned })).code;
    }
    const env: Record<string, string> = { WEBHOOK_SECRET: DESTINATION_SECRET };
    for (const name of NAMES) env[SCHEMES[name].secret] ??= PROVIDER_SECRET;
    server = await start(handlers, env);
    bare = await start(handlers, {});
  }, 120_000);
  afterAll(() => Promise.all([types.close(), server?.close(), bare?.close()]));
  beforeEach(() => {
    for (const file of Object.values(FILES)) rmSync(join(server.dir, file), { force: true });
  });

  const handledCount = () => {
    const file = join(server.dir, FILES.handled);
    return existsSync(file) ? readFileSync(file).length : 0;
  };

  async function send(name: SchemeName, sending: Sending = {}, to = server): Promise<number> {
    const { age = 0, trigger = 'capture' } = sending;
    const deliveryAge = sending.deliveryAge ?? (name === 'standard' ? 0 : null);
    const eventId = sending.event ?? `evt_${++lastEvent}`;
    const now = Date.now();
    const sample = composed(
      SCHEMES[name].sample,
      name === 'standard' ? 'token' : PROVIDER_SECRET,
      now - age * 1000,
    );
    const signedAt = new Date(now - (deliveryAge ?? 0) * 1000);
    const headers = deliveryHeaders({
      rawHeaders: sample.headers,
      eventId,
      deliveryId: sending.delivery ?? `dlv_${eventId}`,
      attempt: 1,
      trigger,
      timestampS: Math.floor(signedAt.getTime() / 1000),
      signature:
        deliveryAge === null
          ? null
          : new Webhook(sending.deliverySecret ?? DESTINATION_SECRET).sign(
              eventId,
              signedAt,
              sample.body.toString('utf8'),
            ),
      hops: 0,
      verification: 'unverified',
      resigned: null,
      own: null,
    });
    const body = sending.tamper?.(sample.body, headers) ?? sample.body;
    const response = await request(to.url(name), { method: 'POST', headers, body });
    await response.body.dump();
    return response.statusCode;
  }

  function without(headers: string[], name: RegExp): void {
    for (let i = headers.length - 2; i >= 0; i -= 2) {
      if (name.test(headers[i] as string)) headers.splice(i, 2);
    }
  }

  describe.each(NAMES)('%s', (name) => {
    test('handles a signed request', async () => {
      expect(await send(name)).toBe(200);
      expect(handledCount()).toBe(1);
    });

    test.each<[what: string, sending: Sending]>([
      [
        'with one byte other',
        {
          tamper: (body) => {
            const copy = Buffer.from(body);
            const at = copy.length - 2;
            copy[at] = (copy[at] as number) ^ 1;
            return copy;
          },
        },
      ],
      ['with one byte more', { tamper: (body) => Buffer.concat([body, Buffer.from(' ')]) }],
      [
        'without a signature',
        {
          tamper: (body, headers) => {
            without(headers, /signature|hmac/i);
            return body;
          },
        },
      ],
      [
        'with an empty signature',
        {
          tamper: (body, headers) => {
            const names = headers.filter((text, i) => i % 2 === 0 && /signature|hmac/i.test(text));
            without(headers, /signature|hmac/i);
            for (const header of names) headers.push(header, '');
            return body;
          },
        },
      ],
      [
        'with the signature of another secret',
        {
          deliverySecret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX',
          tamper: (body, headers) => {
            if (name === 'standard') return body;
            const forged = composed(SCHEMES[name].sample, 'another secret');
            without(headers, /signature|hmac|slack-request/i);
            for (let i = 0; i < forged.headers.length; i += 2) {
              const header = forged.headers[i] as string;
              if (/signature|hmac|slack-request/i.test(header)) {
                headers.push(header, forged.headers[i + 1] as string);
              }
            }
            return forged.body;
          },
        },
      ],
    ])('refuses %s', async (_, sending) => {
      expect(await send(name, sending)).toBe(401);
      expect(handledCount()).toBe(0);
    });

    test('handles nothing without the secret in the environment', async () => {
      expect(await send(name, {}, bare)).toBe(500);
      expect(existsSync(join(bare.dir, FILES.handled))).toBe(false);
    });

    test('answers a repeat and does not handle it again', async () => {
      const event = `evt_repeated_${name}`;
      expect(await send(name, { event })).toBe(200);
      expect(await send(name, { event })).toBe(200);
      expect(handledCount()).toBe(1);
      expect(await send(name)).toBe(200);
      expect(handledCount()).toBe(2);
    });

    test('handles a replay again, once', async () => {
      const event = `evt_replayed_${name}`;
      const replay = (delivery: string): Sending => ({ event, delivery, trigger: 'replay' });
      await send(name, { event });
      expect(await send(name, replay('dlv_1'))).toBe(200);
      expect(handledCount()).toBe(2);
      expect(await send(name, replay('dlv_1'))).toBe(200);
      expect(handledCount()).toBe(2);
      expect(await send(name, replay('dlv_2'))).toBe(200);
      expect(handledCount()).toBe(3);
    });

    test('handles a failed event when it is sent again', async () => {
      const event = `evt_failed_${name}`;
      writeFileSync(join(server.dir, FILES.fail), '');
      expect(await send(name, { event })).toBe(500);
      rmSync(join(server.dir, FILES.fail));
      expect(await send(name, { event })).toBe(200);
      expect(handledCount()).toBe(1);
    });

    test('answers 409 to a repeat while the event is being handled', async () => {
      const event = `evt_slow_${name}`;
      writeFileSync(join(server.dir, FILES.hold), '');
      const first = send(name, { event });
      await until('the first is under way', () => existsSync(join(server.dir, FILES.held)));
      expect(await send(name, { event })).toBe(409);
      rmSync(join(server.dir, FILES.hold));
      expect(await first).toBe(200);
      expect(handledCount()).toBe(1);
    });
  });

  async function sendBody(name: BodyName, body: string): Promise<number> {
    const id = `evt_${name}_${++lastEvent}`;
    const now = new Date();
    const headers = {
      'content-type': contentTypeOf(name),
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(DESTINATION_SECRET).sign(id, now, body),
    };
    const response = await request(server.url(name), { method: 'POST', headers, body });
    await response.body.dump();
    return response.statusCode;
  }

  test.each(Object.entries(BODIES) as [BodyName, string][])(
    'reads a body like %s, and refuses one that is cut',
    async (name, body) => {
      expect(await sendBody(name, body)).toBe(200);
      expect(handledCount()).toBe(1);
      expect(await sendBody(name, body.trimEnd().slice(0, -1))).toBe(400);
      expect(handledCount()).toBe(1);
    },
  );

  async function sendLearned(payload: unknown, type = 'issues'): Promise<number> {
    const body = JSON.stringify(payload);
    const hmac = createHmac('sha256', PROVIDER_SECRET).update(body);
    const headers = {
      'content-type': 'application/json',
      'x-github-event': type,
      'x-hub-signature-256': `sha256=${hmac.digest('hex')}`,
      'webhook-id': `evt_learned_${++lastEvent}`,
    };
    const response = await request(server.url('learned'), { method: 'POST', headers, body });
    await response.body.dump();
    return response.statusCode;
  }

  test('takes every payload that its type was learned from, and refuses another', async () => {
    for (const payload of LEARNED) expect(await sendLearned(payload)).toBe(200);
    expect(LEARNED.length).toBeGreaterThan(20);
    expect(handledCount()).toBe(LEARNED.length);
    const [first] = LEARNED as [Record<string, unknown>];
    expect(await sendLearned({ ...first, repository: MARKER })).toBe(422);
    expect(await sendLearned(MARKER)).toBe(422);
    expect(handledCount()).toBe(LEARNED.length);
    await until('the misfits are in the log', () => server.output().split('fit').length > 2);
    expect(server.output()).toContain('repository');
  });

  test('answers an event of another type, and does not parse it', async () => {
    expect(await sendLearned({ [MARKER]: MARKER }, 'star')).toBe(200);
    expect(handledCount()).toBe(0);
  });

  test('of one event takes other numbers, texts and nulls, and members that come and go', async () => {
    for (const body of [
      '{"type":"order.paid","id":1,"meta":{}}',
      '{"type":"order.sent","id":10.5,"extra":true}',
      '{"type":null,"id":1e3,"meta":null}',
      '{}',
    ]) {
      expect(await sendBody('numbered', body), body).toBe(200);
    }
    expect(await sendBody('numbered', '{"id":[1]}')).toBe(422);
  });

  test('logs no payload, not even of an event that fails', async () => {
    const [first] = LEARNED as [Record<string, unknown>];
    expect(await sendLearned({ ...first, action: MARKER, extra: MARKER })).toBeLessThan(500);
    expect(await sendBody('nothing', `"${MARKER}"`)).toBe(200);
    expect(await sendBody('marked', `{"type":["${MARKER}"]}`)).toBe(422);
    expect(await sendBody('keyed', `{"by_day":{"${MARKER}":{"n":["${MARKER}"]}}}`)).toBe(422);
    expect(await sendBody('lines', `{"type":"${MARKER}"}\n{"type":["${MARKER}"]}`)).toBe(422);
    writeFileSync(join(server.dir, FILES.fail), '');
    expect(await sendLearned({ ...first, title: MARKER })).toBe(500);
    await until('the failure is in the log', () => server.output().includes('ordered to fail'));
    expect(server.output()).not.toContain(MARKER);
  });

  test('standard: refuses a request signed ten minutes ago, or in ten minutes', async () => {
    expect(await send('standard', { deliveryAge: 600 })).toBe(401);
    expect(await send('standard', { deliveryAge: -600 })).toBe(401);
    expect(await send('standard', { deliveryAge: 240 })).toBe(200);
    expect(handledCount()).toBe(1);
  });

  test.each(TIMED)('%s: refuses an old request, unless it is a delivery of ours', async (name) => {
    expect(await send(name, { age: 240 })).toBe(200);
    expect(await send(name, { age: 600 })).toBe(401);
    expect(await send(name, { age: 600, deliveryAge: 600 })).toBe(401);
    expect(
      await send(name, {
        age: 600,
        deliveryAge: 0,
        deliverySecret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX',
      }),
    ).toBe(401);
    expect(handledCount()).toBe(1);
    expect(await send(name, { age: 86_400, deliveryAge: 0 })).toBe(200);
    expect(handledCount()).toBe(2);
  });

  test('does not take our signature alone for the provider’s', async () => {
    const tamper = (body: Buffer, headers: string[]) => {
      without(
        headers,
        /^(stripe-signature|x-slack-signature|x-hub-signature.*|x-shopify-hmac.*)$/i,
      );
      return body;
    };
    for (const name of NAMES.filter((scheme) => scheme !== 'standard')) {
      expect(await send(name, { deliveryAge: 0, tamper })).toBe(401);
    }
  });
}
