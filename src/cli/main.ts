import { EXIT_FAILURE, runProgram } from './run-program.ts';

// If the reader of a pipe ends (`hookrelay … | head`), end quietly. Any other failed write, for
// example to a full disk, is an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`hookrelay: cannot write to stdout (${error.code ?? error.message})\n`);
  process.exit(EXIT_FAILURE);
});
process.stderr.on('error', () => {});

// Don't await here. In the built package, the chunk of a command imports this module, so each would
// wait for the other.
runProgram(process.argv).then((exitCode) => {
  process.exitCode = exitCode;
});
