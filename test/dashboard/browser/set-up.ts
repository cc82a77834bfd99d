import { buildDashboard } from '../../../build-dashboard.ts';
import { useMemoryDisk } from '../../fixtures/memory-disk.ts';

/** The tests use the page as shipped: built, hashed, compressed. */
export default async function setUp(): Promise<() => void> {
  await buildDashboard();
  return useMemoryDisk();
}
