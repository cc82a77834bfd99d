import { EXIT_FAILURE, runProgram } from './program.ts';

// A reader that went away (`hookrelay … | head`) ends the command quietly; what
// can't be written, as to a full disk, must not look as if it had been.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`hookrelay: cannot write to stdout (${error.code ?? error.message})\n`);
  process.exit(EXIT_FAILURE);
});
process.stderr.on('error', () => {});

// Not awaited at the top level: built, a command's chunk imports this very module,
// and would wait for it while it waits for the chunk.
runProgram(process.argv).then((exitCode) => {
  process.exitCode = exitCode;
});
