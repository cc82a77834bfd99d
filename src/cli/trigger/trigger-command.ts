import type { Command } from '@commander-js/extra-typings';
import { remote, withRemote } from '../client/remote-command.ts';
import { addTriggerFlags } from './trigger-flags.ts';

const ABOUT = `
Without --to, trigger sends to the account's only endpoint, and a captured event
to its own. A URL needs no login. Without --secret, it signs a sample with a
test secret and prints it on stderr, and a captured event keeps its signature.
For SendGrid, Discord and Telnyx the secret is a private key (PEM), or text that
seeds one. For Twilio, verify with the URL that trigger sends to.

Your own body is sent unchanged; only Adyen, Figma, Mailgun and Microsoft Graph
put their proof into it. A provider without samples gets a minimal body, which
has a type and an id where the provider puts them. The type follows the name of
the provider: zoom.meeting.started.

The value of an override is JSON if it parses (500, true, null, ["a"], "500"),
and text otherwise. A number stays text if the sample has text. With path:=value
it is always JSON.`;

export function addTriggerCommand(program: Command): void {
  const command = addTriggerFlags(
    program
      .command('trigger')
      .description("send a provider's sample event, or your own body, signed as the provider signs")
      .argument(
        '[event]',
        'name of a sample, or a provider: github.push, zoom, zoom.meeting.started',
      ),
  )
    .option('--json', 'print JSON: what was sent, the URL and the answer')
    .addHelpText('after', ABOUT);
  remote(
    command,
    'trigger --list',
    'trigger github.push',
    'trigger stripe.invoice.paid --to billing --override data.object.total=500 --secret whsec_…',
    'trigger shopify.orders.create --to http://localhost:3000/hooks --override line_items.0.quantity=3',
    'trigger zoom.meeting.started --to calls --body-file meeting.json --secret SECRET',
    'trigger --from-event evt_01kxyz… --to http://localhost:3000/hooks',
  ).action(
    withRemote(async (context, name, flags) => {
      // Import late, because other commands don't need the samples.
      const { runTrigger } = await import('./run-trigger.ts');
      await runTrigger(context, name, flags);
    }),
  );
}
