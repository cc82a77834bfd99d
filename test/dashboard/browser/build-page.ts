import { buildDashboard } from '../../../build-dashboard.ts';

/** The tests use the page as shipped: built, hashed, compressed. */
export default async function buildPage(): Promise<void> {
  await buildDashboard();
}
