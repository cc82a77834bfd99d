import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { until } from '../../fixtures/until.ts';

/*
 * Runs generated handlers in the process that they are written for. The only change
 * is at the line for the user's code: it notes the call, and waits or fails when a
 * file says so.
 */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const USER_LINE = '// TODO: your code.';
const USER_LINE_PYTHON = '# TODO: your code.';

/** Files in the working directory, through which a test and the handler communicate. */
export const FILES = { handled: 'handled', fail: 'fail', hold: 'hold', held: 'held' } as const;

export interface HandlerServer {
  dir: string;
  /** URL of the handler with that name. */
  url(name: string): string;
  /** What the process has written to stdout and stderr. */
  output(): string;
  close(): Promise<void>;
}

/** Keyed by name, which is a path and a module. */
export type Handlers = Readonly<Record<string, string>>;

function withUserCode(code: string, line: string, mark = USER_LINE): string {
  const parts = code.split(mark);
  if (parts.length !== 2) throw new Error('the code has no single line for the user');
  return parts.join(line);
}

function makeDir(): string {
  return mkdtempSync(join(tmpdir(), 'hookrelay-handler-'));
}

async function started(
  dir: string,
  child: ChildProcess,
  path: (name: string) => string,
): Promise<HandlerServer> {
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(dir, { recursive: true, force: true });
  };
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const port = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'exit').then(() => null),
  ]);
  if (port === null || !/^\d+$/.test(port)) {
    await close();
    throw new Error(`the server did not start: ${output}`);
  }
  const url = (name: string) => `http://127.0.0.1:${port}${path(name)}`;
  return { dir, close, url, output: () => output };
}

type Env = Readonly<Record<string, string>>;

function environmentOf(env: Env): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE, ...env };
}

const NODE_WORK = `
import { appendFileSync, existsSync } from 'node:fs';
export async function work() {
  if (existsSync('${FILES.hold}')) appendFileSync('${FILES.held}', 'x');
  while (existsSync('${FILES.hold}')) await new Promise((resolve) => setTimeout(resolve, 5));
  if (existsSync('${FILES.fail}')) throw new Error('ordered to fail');
  appendFileSync('${FILES.handled}', 'x');
}`;

/** Serves the handlers of a framework for each line of stdin, and writes the port. */
const NODE_SERVER = `
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const SERVERS = {
  async express(handlers) {
    const { default: express } = await import('express');
    const app = express();
    for (const [name, { webhooks }] of handlers) app.use('/' + name, webhooks);
    return createServer(app);
  },
  async fastify(handlers) {
    const { default: fastify } = await import('fastify');
    const app = fastify();
    for (const [name, { webhooks }] of handlers) await app.register(webhooks, { prefix: '/' + name });
    await app.ready();
    return app.server;
  },
  // Next.js calls a route's function with a web Request, and this does the same.
  nextjs(handlers) {
    const routes = new Map(handlers.map(([name, route]) => ['/' + name, route]));
    return createServer(async (req, res) => {
      const headers = new Headers();
      for (let i = 0; i < req.rawHeaders.length; i += 2) headers.append(req.rawHeaders[i], req.rawHeaders[i + 1]);
      const request = new Request('http://localhost' + req.url, { method: req.method, headers, body: req, duplex: 'half' });
      const response = await routes.get(req.url)[req.method](request);
      res.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()));
    });
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { framework, names } = JSON.parse(line);
  const handlers = [];
  for (const name of names) {
    handlers.push([name, await import('./' + framework + '/' + name + '.ts')]);
  }
  const server = await SERVERS[framework](handlers);
  server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port));
}
`;

/** A process with one environment that serves the TypeScript handlers of several frameworks. */
export class NodeServers {
  readonly #dir = makeDir();
  readonly #child: ChildProcess;
  #output = '';

  constructor(env: Env) {
    symlinkSync(join(ROOT, 'node_modules'), join(this.#dir, 'node_modules'));
    writeFileSync(join(this.#dir, 'package.json'), '{"type":"module"}');
    writeFileSync(join(this.#dir, 'work.js'), NODE_WORK);
    writeFileSync(join(this.#dir, 'server.js'), NODE_SERVER);
    const options = { cwd: this.#dir, env: environmentOf(env) };
    this.#child = spawn(process.execPath, ['server.js'], options);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#output += chunk;
      });
    }
  }

  async start(framework: string, handlers: Handlers): Promise<HandlerServer> {
    mkdirSync(join(this.#dir, framework));
    for (const [name, code] of Object.entries(handlers)) {
      const line = "await (await import('../work.js' as string)).work();";
      writeFileSync(join(this.#dir, framework, `${name}.ts`), withUserCode(code, line));
    }
    const before = this.#output.length;
    const output = () => this.#output.slice(before);
    this.#child.stdin?.write(`${JSON.stringify({ framework, names: Object.keys(handlers) })}\n`);
    const port = () => /^port (\d+)$/m.exec(output())?.[1];
    await until('the server listens', () => {
      if (this.#child.exitCode !== null) throw new Error(`the server ended: ${this.#output}`);
      return port() !== undefined;
    });
    const url = (name: string) => `http://127.0.0.1:${port()}/${name}`;
    return { dir: this.#dir, url, output, close: async () => {} };
  }

  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      await once(this.#child, 'exit');
    }
    rmSync(this.#dir, { recursive: true });
  }
}

export async function fastapiServer(handlers: Handlers, env: Env): Promise<HandlerServer> {
  const dir = makeDir();
  for (const [name, code] of Object.entries(handlers)) {
    const line = 'await __import__("work").work()';
    writeFileSync(join(dir, `${name}.py`), withUserCode(code, line, USER_LINE_PYTHON));
  }
  writeFileSync(
    join(dir, 'work.py'),
    `import asyncio, os
async def work():
    if os.path.exists("${FILES.hold}"):
        open("${FILES.held}", "w").close()
    while os.path.exists("${FILES.hold}"):
        await asyncio.sleep(0.005)
    if os.path.exists("${FILES.fail}"):
        raise RuntimeError("ordered to fail")
    with open("${FILES.handled}", "a") as file:
        file.write("x")
`,
  );
  writeFileSync(
    join(dir, 'server.py'),
    `import socket
import uvicorn
from fastapi import FastAPI
app = FastAPI()
for name in ${JSON.stringify(Object.keys(handlers))}:
    app.include_router(__import__(name).router, prefix="/" + name)
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listener])
`,
  );
  const child = spawn('python3', ['server.py'], { cwd: dir, env: environmentOf(env) });
  return started(dir, child, (name) => `/${name}`);
}

/** gin in Go's module cache: nothing is downloaded. */
const GIN = 'github.com/gin-gonic/gin';

export function ginVersion(): string | null {
  try {
    const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
    const found = execFileSync('ls', [join(cache, 'github.com/gin-gonic')], { encoding: 'utf8' });
    return /^gin@(v\S+)$/m.exec(found)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Makes a folder of packages a Go module that has gin. */
export function startGoModule(dir: string): void {
  go(dir, 'mod', 'init', 'example.com/hooks');
  go(dir, 'get', `${GIN}@${ginVersion()}`);
}

/** Runs a command of Go without the network. Throws with its output where it fails. */
export function go(dir: string, ...args: string[]): void {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GONOSUMDB: '*' };
  execFileSync('go', args, { cwd: dir, stdio: 'pipe', env });
}

export async function ginServer(handlers: Handlers, env: Env): Promise<HandlerServer> {
  const dir = makeDir();
  const names = Object.keys(handlers);
  for (const [name, code] of Object.entries(handlers)) {
    mkdirSync(join(dir, name));
    const line = 'if err := work(); err != nil {\n\t\t\treturn err\n\t\t}';
    writeFileSync(join(dir, name, 'webhooks.go'), withUserCode(code, line));
    writeFileSync(
      join(dir, name, 'work.go'),
      `package webhooks

import (
	"errors"
	"os"
	"time"
)

func work() error {
	if _, err := os.Stat("${FILES.hold}"); err == nil {
		if err := os.WriteFile("${FILES.held}", nil, 0o600); err != nil {
			return err
		}
	}
	for {
		if _, err := os.Stat("${FILES.hold}"); err != nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if _, err := os.Stat("${FILES.fail}"); err == nil {
		return errors.New("ordered to fail")
	}
	file, err := os.OpenFile("${FILES.handled}", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString("x")
	return err
}
`,
    );
  }
  writeFileSync(
    join(dir, 'main.go'),
    `package main

import (
	"fmt"
	"net"

	"${GIN}"
${names.map((name) => `\t${name} "example.com/hooks/${name}"`).join('\n')}
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
${names.map((name) => `\t${name}.Register(router.Group("/${name}"))`).join('\n')}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(router.RunListener(listener))
}
`,
  );
  startGoModule(dir);
  go(dir, 'vet', './...');
  go(dir, 'build', '-o', 'server', '.');
  const child = spawn(join(dir, 'server'), [], { cwd: dir, env: environmentOf(env) });
  return started(dir, child, (name) => `/${name}/webhooks`);
}
