import { readFileSync } from 'node:fs';

/*
 * What the kernel counts of a process, all its threads together. CPU time is
 * what a shared machine disturbs least: a neighbour takes turns, not work.
 */

/** USER_HZ, which is 100 in what Linux tells programs on every platform. */
const TICKS_PER_SECOND = 100;

/** User and system time that a process has taken until now, to 10 ms. */
export function cpuSeconds(pid: number | undefined): number {
  const stat = readProc(pid, 'stat');
  // The name, in parentheses, may hold blanks: fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory now and at its highest, bytes. */
export function memoryOf(pid: number | undefined): { residentBytes: number; peakBytes: number } {
  const status = readProc(pid, 'status');
  const read = (name: string) => {
    const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    if (kib === undefined) throw new Error(`no ${name} in /proc: this needs Linux`);
    return Number(kib) * 1024;
  };
  return { residentBytes: read('VmRSS'), peakBytes: read('VmHWM') };
}

function readProc(pid: number | undefined, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, 'utf8');
}
