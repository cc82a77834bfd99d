import { timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { HookrelayError } from '../../core/errors.ts';
import { ANSWERED, type Route, route } from '../route.ts';

export interface SystemRoutesOptions {
  /** Throws what keeps the server from taking events. */
  checkReady(): Promise<void>;
  metrics(): Promise<{ contentType: string; text: string }>;
  /** Opens /metrics; null leaves it to `metricsOpen`. */
  metricsToken: string | null;
  /** Whether /metrics needs no token: only this machine can ask. */
  metricsOpen: boolean;
  openApi(): object;
}

export function systemRoutes(options: SystemRoutesOptions): Route[] {
  const tag = 'system';
  const ok = v.object({ status: v.string() });
  return [
    route({
      method: 'GET',
      path: '/healthz',
      summary: 'Whether the process is up',
      tag,
      access: 'public',
      status: 200,
      response: ok,
      handle: () => ({ status: 'ok' }),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      summary: 'Whether the server can store events now',
      tag,
      access: 'public',
      status: 200,
      response: ok,
      async handle() {
        await options.checkReady();
        return { status: 'ok' };
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      summary: 'Figures for Prometheus',
      tag,
      access: 'public',
      status: 200,
      mediaType: 'text/plain',
      async handle({ req, res }) {
        authorizeMetrics(req.headers.authorization, options);
        const { contentType, text } = await options.metrics();
        res.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
        return ANSWERED;
      },
    }),
    route({
      method: 'GET',
      path: '/api/openapi.json',
      summary: 'This API, as an OpenAPI document',
      tag,
      access: 'public',
      status: 200,
      mediaType: 'application/json',
      handle: () => options.openApi(),
    }),
  ];
}

function authorizeMetrics(authorization: string | undefined, options: SystemRoutesOptions): void {
  if (options.metricsToken === null) {
    if (options.metricsOpen) return;
    throw new HookrelayError('not_found', 'there is nothing at this path');
  }
  if (authorization === undefined) {
    throw new HookrelayError('missing_token', 'this needs the metrics token');
  }
  const given = Buffer.from(authorization);
  const wanted = Buffer.from(`Bearer ${options.metricsToken}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new HookrelayError('invalid_token', 'the metrics token is wrong');
  }
}
