import { Option } from '@commander-js/extra-typings';
import { eventId, repeated, someText } from '../arguments.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';

/** Kept in this file, because the code that reads these flags loads the samples. */
export const addTriggerFlags = commandPart((command) =>
  command
    .option('--to <target>', 'endpoint (id or name) or URL to send to')
    .option('--secret <secret>', 'signing secret', someText)
    .option('--override <path=value>', 'change a field of the sample (repeatable)', repeated())
    .option('--add', 'let --override add fields to the sample')
    .addOption(
      new Option('--body <text>', 'send this body, signed as the provider signs').conflicts(
        'bodyFile',
      ),
    )
    .option('--body-file <file>', 'send the body in this file, byte for byte; - reads stdin')
    .option('--header <header>', "send 'name: value' too (repeatable)", repeated())
    .option(
      '--from-event <id>',
      'send a captured event again, byte for byte; --secret signs it again as its provider does',
      eventId,
    )
    .option('--list', 'list the samples, and the providers that can sign your own body'),
);

export type TriggerFlags = FlagsOf<typeof addTriggerFlags>;
