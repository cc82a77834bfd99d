import { EXIT_FAILURE, runProgram } from './program.ts';

// A closed pipe (`hookrelay … | head`) ends the command quietly. Any other failed
// write, such as to a full disk, is an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`hookrelay: cannot write to stdout (${error.code ?? error.message})\n`);
  process.exit(EXIT_FAILURE);
});
process.stderr.on('error', () => {});

// No top-level await: in the built package a command's chunk imports this module,
// and each would wait for the other.
runProgram(process.argv).then((exitCode) => {
  process.exitCode = exitCode;
});
