import {
  closeSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  statfsSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { packageVersion } from '../../../src/core/runtime/resource.ts';
import { median } from './statistics.ts';

/** The environment of the figures: without it they mean nothing. */
export interface Environment {
  hookrelay: string;
  cores: number;
  /** Load average of the minute before the run: the machine's other work. */
  loadAverage: number;
  cpu: string;
  memoryGiB: number;
  system: string;
  node: string;
  sqlite: string;
  undici: string;
  fileSystem: string;
  fsyncMs: number;
  load: string;
}

export function readEnvironment(dir: string, load: string): Environment {
  const db = new Database(':memory:');
  const sqlite = db.prepare('SELECT sqlite_version()').pluck().get() as string;
  db.close();
  return {
    hookrelay: packageVersion(),
    cores: availableParallelism(),
    loadAverage: loadavg()[0] as number,
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGiB: Math.round((totalmem() / 1024 ** 3) * 10) / 10,
    system: `${process.platform} ${release()} ${arch()}`,
    node: process.versions.node,
    sqlite,
    undici: undiciVersion(),
    fileSystem: fileSystemOf(dir),
    fsyncMs: fsyncMs(dir),
    load,
  };
}

export function undiciVersion(): string {
  const manifest = createRequire(import.meta.url).resolve('undici/package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

export function environmentText(environment: Environment): string {
  const {
    hookrelay,
    cores,
    loadAverage,
    cpu,
    memoryGiB,
    system,
    node,
    sqlite,
    undici,
    fileSystem,
    fsyncMs,
    load,
  } = environment;
  return [
    `hookrelay ${hookrelay}`,
    `${cores} cores (${cpu}), load average ${loadAverage.toFixed(1)} before`,
    `${memoryGiB} GiB of memory`,
    system,
    `Node ${node}`,
    `SQLite ${sqlite}`,
    `undici ${undici}`,
    `${fileSystem}, fsync ${fsyncMs.toFixed(2)} ms`,
    `load by ${load}`,
  ].join('; ');
}

/** `f_type` of statfs(2). */
const FILE_SYSTEMS: Record<number, string> = {
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  801189825: 'zfs',
  2035054128: 'overlay',
  16914836: 'tmpfs (nothing is durable there: give --dir on a disk)',
};

function fileSystemOf(dir: string): string {
  const { type } = statfsSync(dir);
  return FILE_SYSTEMS[type] ?? `file system 0x${type.toString(16)}`;
}

const FSYNCS = 30;

/** Least cost of a durable write: the median of small appends with sync. */
function fsyncMs(dir: string): number {
  const file = join(dir, 'fsync');
  const fd = openSync(file, 'w');
  const block = Buffer.alloc(4096, 1);
  const times = Array.from({ length: FSYNCS }, () => {
    const startedAt = performance.now();
    writeSync(fd, block);
    fdatasyncSync(fd);
    return performance.now() - startedAt;
  });
  closeSync(fd);
  unlinkSync(file);
  return median(times);
}
