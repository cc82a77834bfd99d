import { timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { HookrelayError } from '../../core/errors.ts';
import type { System } from '../answers/system.ts';
import { ANSWERED, type Route, route } from '../route.ts';
import { systemSchema } from './system-schema.ts';

export interface SystemRoutesOptions {
  /** Throws the error that keeps the server from capturing. */
  checkReady(): Promise<void>;
  metrics(): Promise<{ contentType: string; text: string }>;
  /** The token of /metrics; with null, `metricsOpen` decides. */
  metricsToken: string | null;
  /** Whether /metrics is open without a token, because only this machine can reach it. */
  metricsOpen: boolean;
  openApi(): object;
  facts(): Promise<System>;
}

export function systemRoutes(options: SystemRoutesOptions): Route[] {
  const tag = 'system';
  const ok = v.object({ status: v.string() });
  return [
    route({
      method: 'GET',
      path: '/healthz',
      summary: 'Check that the process is up',
      tag,
      access: 'public',
      status: 200,
      response: ok,
      handle: () => ({ status: 'ok' }),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      summary: 'Check that the server can store events now',
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
      summary: 'Get metrics for Prometheus',
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
      path: '/api/system',
      summary: 'Get the server’s versions, its disk and its index, and what is wrong with them',
      tag,
      access: 'account',
      scope: 'read',
      status: 200,
      response: systemSchema,
      handle: () => options.facts(),
    }),
    route({
      method: 'GET',
      path: '/api/openapi.json',
      summary: 'Get the OpenAPI document of this API',
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
    throw new HookrelayError('missing_token', '/metrics needs its token');
  }
  const given = Buffer.from(authorization);
  const wanted = Buffer.from(`Bearer ${options.metricsToken}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new HookrelayError('invalid_token', 'the metrics token is wrong');
  }
}
