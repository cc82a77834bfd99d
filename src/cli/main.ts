import { runProgram } from './program.ts';

// A reader that went away (`hookrelay … | head`) ends the command quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.stderr.on('error', () => {});

process.exitCode = await runProgram(process.argv);
