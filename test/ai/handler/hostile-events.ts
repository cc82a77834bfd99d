import type { AiEvent } from '../../../src/ai/event-input.ts';
import { capturedEvent } from '../ai-events.ts';

/**
 * Text that ends a comment, string, template, tag or line in one of the languages,
 * followed by visible code.
 */
const BREAKOUTS = [
  '*/ INJECTED /*',
  '// INJECTED',
  '\n INJECTED \n',
  '\r\nINJECTED',
  '\u2028INJECTED\u2029',
  "'; INJECTED; '",
  '"; INJECTED; "',
  '"""; INJECTED; """',
  '`; INJECTED; `',
  '`json:"x"` INJECTED',
  '$' + '{INJECTED}',
  '\\"; INJECTED; //',
  '\\',
  '{INJECTED}',
  '%s %d INJECTED',
  '# INJECTED',
  'INJECTED")',
  '\u202eINJECTED',
  '\u0000INJECTED',
  '\ud800INJECTED',
];

/** Names with another meaning in the languages, frameworks or templates. */
const TAKEN_NAMES = [
  ...[
    'class',
    'def',
    'func',
    'type',
    'package',
    'import',
    'interface',
    'await',
    'async',
    'None',
    'nil',
  ],
  ...[
    'any',
    'error',
    'string',
    'int64',
    'float64',
    'list',
    'dict',
    'str',
    'object',
    'Any',
    'Header',
  ],
  ...[
    'Headers',
    'Request',
    'Response',
    'Register',
    'APIRouter',
    'Router',
    'FastifyInstance',
    'Buffer',
  ],
  ...[
    'TypedDict',
    'NotRequired',
    'Exception',
    'ValueError',
    'RuntimeError',
    'RecursionError',
    'Promise',
  ],
  ...[
    'Set',
    'Map',
    'Date',
    'Array',
    'Object',
    'String',
    'Number',
    'URLSearchParams',
    'Error',
    'Math',
  ],
  ...[
    'handle',
    'receive',
    'webhooks',
    'handled',
    'seen',
    'memory',
    'state',
    'digest',
    'router',
    'cast',
  ],
  ...[
    'TOLERANCE_S',
    'MAX_HANDLED',
    'tolerance',
    'maxHandled',
    'isAuthentic',
    'is_authentic',
    'log',
  ],
  ...[
    'json',
    'hmac',
    'os',
    'time',
    'gin',
    'http',
    'constructor',
    '__proto__',
    'toString',
    'prototype',
  ],
];

function named(names: readonly string[], value: (name: string) => string): string {
  return `{${names.map((name) => `${JSON.stringify(name)}:${value(name)}`).join(',')}}`;
}

/** Events whose senders try to write handler code. */
export function hostileEvents(): { name: string; event: AiEvent }[] {
  return [...hostilePayloads(), ...hostileTypes()];
}

/** Payloads whose names are code, or names that the handler's code has. */
export function hostilePayloads(): { name: string; event: AiEvent }[] {
  const json = ['content-type', 'application/json'];
  const names = named(BREAKOUTS, () => '1');
  const objects = named(BREAKOUTS, (name) => JSON.stringify({ [name]: [{ [name]: name }] }));
  const taken = named(TAKEN_NAMES, (name) => JSON.stringify({ [`own_${name}`]: 1, [name]: [{}] }));
  return [
    { name: 'names', event: capturedEvent(json, names) },
    { name: 'objects', event: capturedEvent(json, objects) },
    { name: 'optional names', event: capturedEvent(json, `[${objects},{},${names}]`) },
    { name: 'taken names', event: capturedEvent(json, taken) },
    {
      name: 'taken names of Stripe',
      event: capturedEvent([...json, 'stripe-signature', 'x'], `{"type":"a.b","x":${taken}}`),
    },
    {
      name: 'form fields',
      event: capturedEvent(
        ['content-type', 'application/x-www-form-urlencoded'],
        new URLSearchParams([...BREAKOUTS, ...TAKEN_NAMES].map((name) => [name, name])).toString(),
      ),
    },
    {
      name: 'slash command',
      event: capturedEvent(
        ['content-type', 'application/x-www-form-urlencoded', 'x-slack-signature', 'v0=1'],
        'command=%2Fdeploy&text=now',
      ),
    },
    {
      name: 'text',
      event: capturedEvent(['content-type', BREAKOUTS.join('')], BREAKOUTS.join('')),
    },
    { name: 'bytes', event: capturedEvent([], Buffer.of(0xff, 0xfe, 0)) },
    { name: 'nothing', event: capturedEvent([], '') },
    { name: 'a scalar', event: capturedEvent(json, '"*/ INJECTED"') },
    { name: 'an array', event: capturedEvent(json, '[[1,"a"],[]]') },
  ];
}

/** Event types that are code. */
function hostileTypes(): { name: string; event: AiEvent }[] {
  const json = ['content-type', 'application/json'];
  const events: { name: string; event: AiEvent }[] = [];
  for (const [i, text] of BREAKOUTS.entries()) {
    const types = [
      ['x-github-event', text],
      ['x-shopify-topic', text],
    ];
    for (const headers of types) {
      events.push({
        name: `${headers[0]} ${i}`,
        event: capturedEvent([...json, ...headers], '{"a":1}'),
      });
    }
    events.push({
      name: `body type ${i}`,
      event: capturedEvent([...json, 'stripe-signature', text], JSON.stringify({ type: text })),
    });
  }
  return events;
}
