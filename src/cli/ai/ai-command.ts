import { type Command, Option } from '@commander-js/extra-typings';
import type { CallParams } from '../../api/client/typed-call.ts';
import { HookrelayError } from '../../core/errors.ts';
import { eventId } from '../arguments.ts';
import { eventParams } from '../client/event-params.ts';
import { examplesText, type Remote, remote, withRemote } from '../client/remote-command.ts';
import { hasCode } from '../command-error.ts';
import { printable } from '../terminal/output.ts';
import { writeNewFiles } from './write-new-files.ts';

/** Deadline of an answer, ms. A model without a graphics card takes minutes. */
const timeoutMs = 5 * 60_000;
const EVENT = "the event's id";

/** The engine that made an answer. Older servers omit it. */
interface Made {
  engine?: string;
  /** Why the server's model has no part in the answer. */
  note?: string | undefined;
}

const PAIRS = `
Languages and their frameworks:
  typescript, javascript  express, fastify, nextjs
  python                  fastapi
  go                      gin
`;

export function addAiCommand(program: Command): void {
  const group = program
    .command('ai')
    .description('explain an event, derive its type, write a handler, diagnose failures')
    .addHelpText('after', examplesText(['ai explain evt_01kxyz…', 'ai diagnose evt_01kxyz…']));
  remote(
    group
      .command('explain')
      .description('explain an event in plain English')
      .argument('<event>', EVENT, eventId),
    'ai explain evt_01kxyz…',
  ).action(
    withRemote(async (context, id) => {
      const made = await ask(context, id, (client, params) =>
        client.call('GET /api/endpoints/{id}/events/{eventId}/ai/explain', { params, timeoutMs }),
      );
      show(context, made, made.explanation);
    }),
  );
  remote(
    group
      .command('schema')
      .description("derive a TypeScript interface from an event's body")
      .argument('<event>', EVENT, eventId)
      .addOption(overOption()),
    'ai schema evt_01kxyz… >order.ts',
    'ai schema evt_01kxyz… --over type >order.ts',
  ).action(
    withRemote(async (context, id, { over }) => {
      const query = queryOf(over);
      const made = await ask(context, id, (client, params) =>
        client.call('GET /api/endpoints/{id}/events/{eventId}/ai/schema', {
          ...{ params, query, timeoutMs },
        }),
      );
      show(context, made, made.schema);
    }),
  );
  remote(
    group
      .command('handler')
      .description('write a handler for events like this one, and its test')
      .argument('<event>', EVENT, eventId)
      .requiredOption('--language <language>', 'typescript, javascript, python or go')
      .requiredOption('--framework <framework>', 'framework of that language, see below')
      .addOption(overOption())
      .option('--out <directory>', 'write the handler and its test there, as two new files')
      .addHelpText('after', PAIRS),
    'ai handler evt_01kxyz… --language typescript --framework express --over type --out .',
    'ai handler evt_01kxyz… --language go --framework gin >webhooks.go',
  ).action(
    withRemote(async (context, id, { language, framework, over, out: directory }) => {
      const query = queryOf(over);
      const body = { language, framework };
      const made = await ask(context, id, (client, params) =>
        client.call('POST /api/endpoints/{id}/events/{eventId}/ai/handler', {
          ...{ params, query, body, timeoutMs },
        }),
      );
      if (directory === undefined) {
        show(context, made, made.code);
        return;
      }
      const files = writeNewFiles(directory, {
        [made.file]: made.code,
        [made.test_file]: made.test,
      });
      if (context.out.json) context.out.jsonValue({ ...made, files });
      else for (const file of files) context.out.text(printable(file));
    }),
  );
  remote(
    group
      .command('diagnose')
      .description('explain why deliveries of an event failed, and what to do')
      .argument('<event>', EVENT, eventId),
    'ai diagnose evt_01kxyz…',
  ).action(
    withRemote(async (context, id) => {
      const made = await ask(context, id, (client, params) =>
        client.call('GET /api/endpoints/{id}/events/{eventId}/ai/diagnose', { params, timeoutMs }),
      );
      const { diagnosis, suggestion } = made;
      show(context, made, suggestion ? `${diagnosis}\n\n${suggestion}` : diagnosis);
    }),
  );
}

type Over = 'event' | 'type';

function overOption() {
  return new Option('--over <over>', 'the body alone, or all events of its type')
    .choices(['event', 'type'])
    .default('event');
}

function queryOf(over: Over): { over?: Over } {
  return over === 'type' ? { over } : {};
}

async function ask<T>(
  { client }: Remote,
  id: string,
  call: (
    client: Remote['client'],
    params: CallParams<'GET /api/endpoints/{id}/events/{eventId}'>,
  ) => Promise<T>,
): Promise<T> {
  const params = await eventParams(client, id);
  try {
    return await call(client, params);
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error;
    throw new HookrelayError('not_found', `the server at ${client.url} has no AI operations`, {
      hint: 'a newer version of hookrelay has them',
      cause: error,
    });
  }
}

/** Prints the text alone on stdout, because people redirect it to a file. */
function show({ out }: Remote, made: Made, text: string): void {
  if (out.asJson(made)) return;
  out.text(text);
  if (made.engine) out.note(`made by ${printable(made.engine)}`);
  if (made.note) out.note(printable(made.note));
}
