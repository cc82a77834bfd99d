import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { HookrelayError } from '../core/errors.ts';
import type { Logger } from '../core/runtime/runtime.ts';

/** The longest wait for cloudflared's address, ms. */
const OPEN_TIMEOUT_MS = 30_000;
/**
 * The longest wait for cloudflared's end, ms. Its connections to this server are closed already.
 */
const CLOSE_TIMEOUT_MS = 500;
/** How many of cloudflared's last lines an error quotes. */
const LINES_SHOWN = 5;
/** cloudflared prints the address in a box of `|`. */
const ADDRESS = /\|\s+(https:\/\/\S+)\s+\|/;

const OWN_TUNNEL = 'put your own tunnel in front and set --public-url';

export interface Tunnel {
  /** Public `https:` origin of this server. */
  url: string;
  close(): Promise<void>;
}

/**
 * Makes a listening server public with a quick tunnel. Runs the `cloudflared` on the PATH, and
 * never downloads cloudflared.
 *
 * Throws `tunnel_failed` if cloudflared is missing, or prints no address in time.
 *
 * @param origin the server's local origin, such as `http://127.0.0.1:8484`
 */
export async function openTunnel(origin: string, log: Logger): Promise<Tunnel> {
  // The certificate names the public host, not this address.
  const tls = origin.startsWith('https:') ? ['--no-tls-verify'] : [];
  const args = ['tunnel', '--no-autoupdate', '--url', origin, ...tls];
  const child = spawn('cloudflared', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const end = () => void child.kill();
  process.once('exit', end);
  const close = async () => {
    process.off('exit', end);
    await stop(child);
  };
  try {
    const url = await addressOf(child);
    const onExit = (code: number | null) =>
      log.error('the tunnel ended: its address is dead until the next start', { code });
    child.once('exit', onExit);
    return {
      url,
      async close() {
        child.off('exit', onExit);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Waits for cloudflared's address. Reads all output, because a full pipe would block cloudflared.
 */
function addressOf(child: ChildProcess): Promise<string> {
  const last: string[] = [];
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(failed([reason, ...last].join('; ')));
    const timer = setTimeout(() => {
      fail(`cloudflared printed no address within ${OPEN_TIMEOUT_MS / 1000} s`);
    }, OPEN_TIMEOUT_MS);
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(error.code === 'ENOENT' ? missing(error) : failed(String(error)));
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      fail(`cloudflared ended with exit code ${code}`);
    });
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      last.push(line);
      if (last.length > LINES_SHOWN) last.shift();
      const [, address] = ADDRESS.exec(line) ?? [];
      if (address === undefined || !URL.canParse(address)) return;
      clearTimeout(timer);
      resolve(new URL(address).origin);
    });
  });
}

/** Sends SIGTERM, and after `CLOSE_TIMEOUT_MS` SIGKILL. */
async function stop(child: ChildProcess): Promise<void> {
  // The process never started, or has already ended.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}

function missing(cause: Error): HookrelayError {
  return new HookrelayError('tunnel_failed', '--tunnel needs cloudflared, which is not installed', {
    hint:
      'install it (macOS: brew install cloudflared; Linux and Windows: ' +
      `https://github.com/cloudflare/cloudflared/releases), or ${OWN_TUNNEL}`,
    cause,
  });
}

function failed(reason: string): HookrelayError {
  return new HookrelayError('tunnel_failed', `the tunnel did not open: ${reason}`, {
    hint: `start without --tunnel, or ${OWN_TUNNEL}`,
  });
}
