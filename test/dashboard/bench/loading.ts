import type { CDPSession, Page } from 'playwright-core';
import type { Figures } from './figures.ts';
import type { ProbedWindow } from './probes.ts';
import { rest, type Side } from './side.ts';

const ASSET = /^\/assets\//;

/** Loads the list with an empty cache: bytes, the first paint, and the first row. */
export async function loading(side: Side): Promise<Figures> {
  const page = await side.context.newPage();
  const client = await side.context.newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.clearBrowserCache');
  const loaded = countBytes(client);
  await page.goto(`${side.server.url}/endpoints/${side.endpointId}`);
  const firstRow = await page.evaluate(() => (window as unknown as ProbedWindow).probes.firstRowAt);
  const toFirstRow = loaded.bytes;
  const firstPaint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  );
  await rest(page);
  const atRest = loaded.bytes;
  await page.close();
  return {
    'first load, files until the first row, KB': [toFirstRow / 1000],
    'first load, files until it is idle, KB': [atRest / 1000],
    'first contentful paint, ms': [firstPaint],
    'first row, from the navigation, ms': [firstRow],
  };
}

/** Counts the page's own files as they come over the wire, heads included. */
function countBytes(client: CDPSession): { bytes: number } {
  const counted = { bytes: 0 };
  const own = new Set<string>();
  client.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Document' || ASSET.test(new URL(response.url).pathname)) own.add(requestId);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (own.has(requestId)) counted.bytes += encodedDataLength;
  });
  return counted;
}

/** Requests to the API that the overview of all endpoints takes, with the frame around it. */
export async function overview(side: Side): Promise<Figures> {
  const page = await side.context.newPage();
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await page.goto(side.server.url);
  await page.locator('.connection.is-live').waitFor();
  await settledRequests(page);
  await page.close();
  const api = paths.filter((path) => path.startsWith('/api/') && path !== '/api/stream');
  return { 'requests to the API for the overview of 62 endpoints': [api.length] };
}

async function settledRequests(page: Page): Promise<void> {
  await page.locator('main, #app').first().waitFor();
  await rest(page);
}
