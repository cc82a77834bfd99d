import { buildDashboard } from '../../../build-dashboard.ts';

/** The page that is tested is the one that is shipped: built, hashed, compressed. */
export default async function buildPage(): Promise<void> {
  await buildDashboard();
}
