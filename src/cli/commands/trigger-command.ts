import type { Command } from 'commander';
import { eventId, someText } from '../arguments.ts';
import { remote, withRemote } from '../client/remote-command.ts';
import type { TriggerFlags } from '../trigger/run-trigger.ts';

const ABOUT = `
Without --to, a sample goes to the only endpoint there is. A URL needs no login.
Without --secret, a test secret signs, which is printed on stderr. For SendGrid the secret is a
private key (PEM), or any text to make one of; for Twilio, verify with the URL that was sent to.

The value of an override is JSON where it can be (500, true, null, ["a"], "500") and text
otherwise; a number stays text where the sample has text. With path:=value it is always JSON.`;

/** `hookrelay trigger`: requests as providers send them. */
export function addTriggerCommand(program: Command): void {
  const command = program
    .command('trigger')
    .description("send a sample of a provider's event, signed as the provider signs")
    .argument('[event]', 'which one, as provider.event')
    .option('--to <target>', 'an endpoint (its id or name), or any URL')
    .option('--secret <secret>', 'what the provider signs with', someText)
    .option(
      '--override <path=value>',
      'change a field of the sample (repeatable)',
      (value: string, previous: string[] = []) => [...previous, value],
    )
    .option('--add', 'let --override make fields that the sample lacks')
    .option('--from-event <id>', 'send a captured event once more, byte for byte', eventId)
    .option('--list', 'list the samples')
    .option('--json', 'print JSON: what was sent where, and how it was answered')
    .addHelpText('after', ABOUT);
  remote(
    command,
    'trigger --list',
    'trigger github.push',
    'trigger stripe.invoice.paid --to billing --override data.object.total=500 --secret whsec_…',
    'trigger shopify.orders.create --to http://localhost:3000/hooks --override line_items.0.quantity=3',
    'trigger --from-event evt_01kxyz… --to http://localhost:3000/hooks',
  ).action(
    withRemote(async (context, name: string | undefined, flags: TriggerFlags) => {
      // Only now: the other commands needn't load the samples and what sends them.
      const { runTrigger } = await import('../trigger/run-trigger.ts');
      await runTrigger(context, name, flags);
    }),
  );
}
