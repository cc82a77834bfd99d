import { timingSafeEqual } from 'node:crypto';
import { HookrelayError } from '../../core/errors.ts';
import { ANSWERED, type Route, routesOf } from '../route.ts';
import type { SystemAnswer } from './system-answer.ts';
import { SYSTEM_CALLS } from './system-calls.ts';

export interface SystemRoutesOptions {
  /** Throws the error that keeps the server from capturing. */
  checkReady(): Promise<void>;
  metrics(): Promise<{ contentType: string; text: string }>;
  /** The token of /metrics; with null, `metricsOpen` decides. */
  metricsToken: string | null;
  /** Whether /metrics is open without a token, because only this machine can reach it. */
  metricsOpen: boolean;
  openApi(): object;
  facts(): Promise<SystemAnswer>;
}

export function systemRoutes(options: SystemRoutesOptions): Route[] {
  return routesOf(SYSTEM_CALLS, {
    'GET /healthz': () => ({ status: 'ok' }),
    async 'GET /readyz'() {
      await options.checkReady();
      return { status: 'ok' };
    },
    async 'GET /metrics'({ req, res }) {
      authorizeMetrics(req.headers.authorization, options);
      const { contentType, text } = await options.metrics();
      res.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
      return ANSWERED;
    },
    'GET /api/system': () => options.facts(),
    'GET /api/openapi.json': () => options.openApi(),
  });
}

function authorizeMetrics(authorization: string | undefined, options: SystemRoutesOptions): void {
  if (options.metricsToken === null) {
    if (options.metricsOpen) return;
    throw new HookrelayError('not_found', 'there is nothing at this path');
  }
  if (authorization === undefined) {
    throw new HookrelayError('missing_token', '/metrics needs its token');
  }
  const given = Buffer.from(authorization);
  const wanted = Buffer.from(`Bearer ${options.metricsToken}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new HookrelayError('invalid_token', 'the metrics token is wrong');
  }
}
