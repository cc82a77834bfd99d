import { Option } from '@commander-js/extra-typings';
import { eventId, someText } from '../arguments.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';

/** Stands apart from what reads them: the samples load late. */
export const addTriggerFlags = commandPart((command) =>
  command
    .option('--to <target>', 'endpoint (id or name) or URL to send to')
    .option('--secret <secret>', 'signing secret', someText)
    .option(
      '--override <path=value>',
      'change a field of the sample (repeatable)',
      (value: string, previous: string[] = []) => [...previous, value],
    )
    .option('--add', 'let --override add fields to the sample')
    .addOption(
      new Option('--body <text>', 'sign and send this body as the provider').conflicts('bodyFile'),
    )
    .option('--body-file <file>', 'the same with a file, byte for byte; - reads stdin')
    .addOption(
      new Option('--header <header>', "send 'name: value' too (repeatable)").argParser(
        (value: string, previous: string[] = []) => [...previous, value],
      ),
    )
    .option(
      '--from-event <id>',
      'send a captured event again, byte for byte; --secret signs it again as its provider does',
      eventId,
    )
    .option('--list', 'list the samples, and the providers that sign a body of yours'),
);

export type TriggerFlags = FlagsOf<typeof addTriggerFlags>;
