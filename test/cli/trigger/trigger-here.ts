import { ApiClient, connectionOf } from '../../../src/cli/client/api-client.ts';
import { ProfileFile } from '../../../src/cli/client/profile.ts';
import { Output } from '../../../src/cli/terminal/output.ts';
import { runTrigger } from '../../../src/cli/trigger/run-trigger.ts';
import type { TriggerFlags } from '../../../src/cli/trigger/trigger-flags.ts';

/** Records the output. */
class RecordingOutput extends Output {
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];

  override jsonValue(value: object): void {
    this.stdout.push(JSON.stringify(value));
  }

  override line(text: string): void {
    this.stdout.push(text);
  }

  override note(text: string): void {
    this.stderr.push(text);
  }
}

export interface Said {
  stdout: string[];
  stderr: string[];
  /** The error that ended the command, if any. */
  error: unknown;
}

export interface TriggerOptions {
  /** The server. Default: none, for a target that is a URL. */
  url?: string;
  token?: string;
  json?: boolean;
}

/**
 * What `hookrelay trigger` does after its arguments are parsed, in this process: a child
 * for each case would take seconds on a busy machine.
 */
export async function triggerHere(
  name: string | undefined,
  flags: TriggerFlags = {},
  { url = 'http://127.0.0.1:1', token, json = false }: TriggerOptions = {},
): Promise<Said> {
  const profile = new ProfileFile('none', { XDG_CONFIG_HOME: '/nonexistent' });
  const connection = connectionOf(profile, { url }, { HOOKRELAY_TOKEN: token });
  const out = new RecordingOutput({ json });
  let error: unknown = null;
  try {
    await runTrigger({ client: new ApiClient(connection), out, profile }, name, flags);
  } catch (thrown) {
    error = thrown;
  }
  return { stdout: out.stdout, stderr: out.stderr, error };
}
