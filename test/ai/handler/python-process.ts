import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runs } from '../../fixtures/machine.ts';

/** Whether Python's packages are installed. It finds them without importing them. */
export function hasPython(...packages: string[]): boolean {
  const program =
    'import sys, importlib.util as u; sys.exit(not all(map(u.find_spec, sys.argv[1:])))';
  return runs('python3', '-c', program, ...packages);
}

/** Exit code of a program in Python, and what it wrote. */
export interface PythonRun {
  status: number;
  stdout: string;
  stderr: string;
}

/*
 * A program starts in a copy (fork) of a process that has imported FastAPI and pytest,
 * which take most of a second of CPU. Its folder is its working directory, and the first
 * place where it finds modules. Plugins of the machine's pytest don't load.
 */
const SERVER = `
import gc, json, os, runpy, sys, traceback
import fastapi.testclient, pytest

def run(folder, program, arguments):
    os.chdir(folder)
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(name, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), number)
    if program == "pytest":
        return int(pytest.main(arguments))
    sys.path.insert(0, folder)
    sys.argv = [program, *arguments]
    runpy.run_path(program, run_name="__main__")
    return 0

# Copies then share the memory of what is imported.
gc.collect()
gc.freeze()
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = run(*json.loads(line))
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
`;

/** Runs Python programs that need FastAPI or pytest, one after another. */
export class PythonProcess {
  #started: ReturnType<typeof start> | null = null;

  /** Runs pytest in a folder. */
  pytest(folder: string, ...args: string[]): Promise<PythonRun> {
    return this.#run(folder, 'pytest', args);
  }

  /** Runs the program in a folder's file. */
  program(folder: string, file: string, ...args: string[]): Promise<PythonRun> {
    return this.#run(folder, file, args);
  }

  async close(): Promise<void> {
    const child = this.#started?.child;
    if (!child || child.exitCode !== null) return;
    child.stdin.end();
    await once(child, 'exit');
  }

  async #run(folder: string, program: string, args: string[]): Promise<PythonRun> {
    this.#started ??= start();
    const { child, lines, ended } = this.#started;
    const answer = once(lines, 'line');
    child.stdin.write(`${JSON.stringify([folder, program, args])}\n`);
    const [status] = await Promise.race([answer, ended]);
    const text = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { status: Number(status), stdout: text('stdout'), stderr: text('stderr') };
  }
}

function start() {
  const child = spawn('python3', ['-c', SERVER], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
      // Importing FastAPI's client warns of its own packages.
      PYTHONWARNINGS: 'ignore',
    },
  });
  const ended = once(child, 'exit').then(([status, signal]) => {
    throw new Error(`Python ended: ${status ?? signal}`);
  });
  ended.catch(() => {});
  return { child, lines: createInterface({ input: child.stdout }), ended };
}
