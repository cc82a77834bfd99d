import { runProgram } from './program.ts';

// A reader that went away (`hookrelay … | head`) ends the command quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.stderr.on('error', () => {});

// Not awaited at the top level: built, a command's chunk imports this very module,
// and would wait for it while it waits for the chunk.
runProgram(process.argv).then((exitCode) => {
  process.exitCode = exitCode;
});
