import { afterAll, describe, expect, test } from 'vitest';
import { bodyView } from '../../src/ai/body-view.ts';
import { type AiEvent, parsePayload } from '../../src/ai/event-input.ts';
import { eventTypeOf } from '../../src/ai/event-type.ts';
import { explainEvent } from '../../src/ai/explain/explain-event.ts';
import { promptBody } from '../../src/ai/ollama/prompt-payload.ts';
import { generateSchema } from '../../src/ai/types/generate-schema.ts';
import { TypeGenerator } from '../../src/ai/types/type-generator.ts';
import { findSample } from '../../src/providers/find-sample.ts';
import type { Sample } from '../../src/providers/sampling/sample.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { capturedEvent, composed } from './ai-events.ts';
import { githubForm, slackInteraction } from './form-samples.ts';

failOnLeaks();

const types = new TypeGenerator();
afterAll(() => types.close());

const FORM = 'application/x-www-form-urlencoded';
const captured = (sample: Sample): AiEvent => {
  const { headers, body } = composed(sample);
  return capturedEvent(headers, body);
};
const formEvent = (body: string, headers: string[] = []): AiEvent =>
  capturedEvent(['content-type', FORM, ...headers], body);
const inField = (json: string) => `payload=${encodeURIComponent(json)}&v=1`;

describe('the payload', () => {
  test.each([
    ['payload=%7B%22a%22%3A1%7D', { kind: 'json', value: { a: 1 }, isInForm: true }],
    ['x=1&payload=%5B1%5D', { kind: 'json', value: [1], isInForm: true }],
    ['payload=5', { kind: 'form', fields: [['payload', '5']] }],
    ['payload=%7B', { kind: 'form', fields: [['payload', '{']] }],
    ['payload=', { kind: 'form', fields: [['payload', '']] }],
  ])('of the form %s', (body, payload) => {
    expect(parsePayload(Buffer.from(body), `${FORM}; charset=utf-8`)).toEqual(payload);
  });

  test('of text that only looks like a form is text', () => {
    expect(parsePayload(Buffer.from('payload={}'), 'text/plain')).toMatchObject({ kind: 'text' });
  });
});

describe('an explanation', () => {
  test('of GitHub’s form speaks of the JSON, and says where it was', () => {
    const text = explainEvent(captured(githubForm));
    for (const fact of ['GitHub', '2 commits', 'main', 'example-org/webshop']) {
      expect(text).toContain(fact);
    }
    expect(text).toMatch(/It came by POST with [\d.]+ KB of JSON in the form field "payload" on /);
    expect(explainEvent(captured(findSample('github.push')))).not.toContain('form field');
  });

  test('of Slack’s interactivity names who did what', () => {
    const text = explainEvent(captured(slackInteraction));
    for (const fact of ['The Slack user ada', '"block_actions"', 'warehouse', 'ship_order']) {
      expect(text).toContain(fact);
    }
    expect(text).toContain('the value "order 1001"');
    expect(text).toContain('example-shop');
    expect(text).toContain('JSON in the form field "payload"');
  });

  test('of a large form describes its beginning, and counts nothing', () => {
    const items = Array.from({ length: 20_000 }, (_, i) => ({ id: i, note: 'a & b' }));
    const event = formEvent(inField(JSON.stringify({ name: 'Ada', id: 'x', items })));
    expect(event.body.length).toBeGreaterThan(256 * 1024);
    const { payload, isCut } = bodyView(event);
    expect({ kind: payload.kind, isCut }).toEqual({ kind: 'json', isCut: true });
    expect(explainEvent(event)).toContain(
      'a JSON object with the fields name, id and items (array) and perhaps more',
    );
  });

  test('keeps digits that a double would round', () => {
    const event = formEvent(inField('{"id":12345678901234567891,"name":"a"}'));
    expect(explainEvent(event)).toContain('12345678901234567891');
    expect(promptBody(bodyView(event))).toContain('12345678901234567891');
  });
});

describe('the event type', () => {
  test.each<[event: AiEvent, type: string | null]>([
    [captured(slackInteraction), 'block_actions'],
    [captured(githubForm), 'push'],
    [formEvent(inField('{"type":"order.paid"}'), ['stripe-signature', 'x']), 'order.paid'],
    // Twilio's forms name no type: their shape does.
    [captured(findSample('twilio.message')), 'message'],
    [captured(findSample('twilio.call')), 'call'],
    // A type becomes a name in code, so its form counts.
    [formEvent('type=a%22%3B', ['stripe-signature', 'x']), null],
    [formEvent(`type=${'a'.repeat(200)}`, ['stripe-signature', 'x']), null],
    [formEvent('type=a&type=b', ['stripe-signature', 'x']), null],
    [formEvent('type=order.paid'), 'order.paid'],
    [formEvent('kind=order.paid'), null],
    // A batch's first event doesn't name the others.
    [captured(findSample('sendgrid.events')), null],
  ])('%#', (event, type) => {
    expect(eventTypeOf(event)).toBe(type);
  });
});

describe('a schema', () => {
  test('describes the JSON in a form, and says where it was', async () => {
    const schema = await generateSchema(captured(slackInteraction), { types });
    expect(schema).toMatch(
      /^\/\/ The body is form-encoded: this is the JSON in its field "payload"\.\n/,
    );
    expect(schema).toContain('export interface SlackBlockActionsEvent {');
    expect(schema).toMatch(/ {2}actions: +Action\[\];/);
    expect(schema).not.toMatch(/^ +payload:/m);
  });

  test('of GitHub’s form is that of its JSON', async () => {
    const [, ...inForm] = (await generateSchema(captured(githubForm), { types })).split('\n');
    const json = await generateSchema(captured(findSample('github.push')), { types });
    expect(inForm.join('\n')).toBe(json);
  });

  test('of a form without JSON describes the fields', async () => {
    const schema = await generateSchema(formEvent('payload=5&x=1'), { types });
    expect(schema).toContain('these are its fields');
    expect(schema).toMatch(/ {2}payload: +string;/);
  });
});
