import { readFileSync } from 'node:fs';

/*
 * The kernel's figures of a process, all threads together. A shared machine
 * disturbs CPU time least: a neighbour takes turns, not work.
 */

/** USER_HZ, which Linux reports as 100 to programs on every platform. */
const TICKS_PER_SECOND = 100;

/** User and system time of a process so far, to 10 ms. */
export function cpuSeconds(pid: number | undefined): number {
  const stat = readProc(pid, 'stat');
  // The name in parentheses may contain blanks, so fields are counted after it.
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

/** Bytes that a process has caused to be written to the disk so far. */
export function writtenBytes(pid: number | undefined): number {
  const written = /^write_bytes: (\d+)$/m.exec(readProc(pid, 'io'))?.[1];
  if (written === undefined) throw new Error('no write_bytes in /proc: this needs Linux');
  return Number(written);
}

function readProc(pid: number | undefined, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, 'utf8');
}
