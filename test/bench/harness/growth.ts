import { count, ms, short } from './figures.ts';
import type { Row } from './measurement.ts';
import type { Section } from './table.ts';

/** How cost grows in the measurements that ran, one line for each parameter. */
export function growthLines(sections: readonly Section[]): string[] {
  const rowsOf = (measurement: string): Row[] =>
    sections.find((section) => section.measurement === measurement)?.rows ?? [];
  return [
    ...withCaptures(rowsOf('captures')),
    ...withDestinations(rowsOf('delivering'), rowsOf('draining')),
    ...withBytes(rowsOf('bodies')),
    ...withEvents(rowsOf('list'), rowsOf('search'), rowsOf('disk')),
  ];
}

function withCaptures([first]: Row[]): string[] {
  if (!first) return [];
  const us = figure(first, 'cpuUs');
  return [
    `a capture takes ${short(us)} µs of CPU, its indexing meanwhile included: ${count(1e6 / us)}/s for a core's worth`,
  ];
}

function withDestinations([one, five]: Row[], [drained]: Row[]): string[] {
  const lines: string[] = [];
  if (one && five) {
    const more = (figure(five, 'cpuUs') - figure(one, 'cpuUs')) / 4;
    lines.push(
      `each destination more adds ${short(more)} µs to a capture, deliveries made meanwhile included`,
    );
  }
  if (drained) lines.push(`a delivery takes ${short(figure(drained, 'cpuUs'))} µs of CPU`);
  return lines;
}

function withBytes([hundredKb]: Row[]): string[] {
  if (!hundredKb) return [];
  const us = figure(hundredKb, 'cpuUs');
  return [`a capture of 100 KB takes ${short(us)} µs of CPU, its indexing meanwhile included`];
}

function withEvents(lists: Row[], searches: Row[], [disk]: Row[]): string[] {
  const lines: string[] = [];
  const middle = lists.find(({ label }) => label.includes('offset'));
  if (middle) lines.push(`${ms(perMillionSkipped(middle))} for a million events that a page skips`);
  const [uuid] = searches;
  if (uuid) {
    const perMillion = (figure(uuid, 'scanMs') / figure(uuid, 'events')) * 1e6;
    lines.push(`${ms(perMillion)} for a million events that a search must scan`);
  }
  if (disk) {
    const gib = (figure(disk, 'onDisk') / figure(disk, 'events') / 1024 ** 3) * 1e6;
    lines.push(`${short(gib)} GiB on disk for a million events of 1 KB, index included`);
  }
  return lines;
}

/** A page in the middle skips half of the events. */
function perMillionSkipped({ figures }: Row): number {
  const points = Object.entries(figures)
    .map(([name, took]) => [Number(name.replace('msAt', '')), took] as const)
    .sort(([a], [b]) => a - b);
  const [least, most] = [points[0], points.at(-1)] as [(typeof points)[0], (typeof points)[0]];
  return ((most[1] - least[1]) / ((most[0] - least[0]) / 2)) * 1e6;
}

function figure({ figures }: Row, name: string): number {
  return figures[name] as number;
}
