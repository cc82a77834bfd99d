import type { NodeFramework } from './node-handler.ts';

export const fastify: NodeFramework = {
  module: 'webhooks',
  needs: 'fastify 5',
  usage: (extension) => [
    '',
    `  import { webhooks } from './webhooks.${extension}';`,
    "  await app.register(webhooks, { prefix: '/webhooks' });",
  ],
  imports: (t) =>
    [t("import type { FastifyInstance } from 'fastify';")].filter((line) => line !== ''),
  route: (method, t) => `
export async function webhooks(app${t(': FastifyInstance')})${t(': Promise<void>')} {
  // Signatures cover the body's exact bytes, so no parser may run. This plugin only.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.${method.toLowerCase()}('/', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const header${t(': Header')} = (name) => request.headers[name]?.toString();
    reply.type('text/plain');
    try {
      const { status, text } = await receive(header, body);
      return reply.code(status).send(text);
    } catch (error) {
      console.error('webhook failed', error);
      return reply.code(500).send('failed');
    }
  });
}
`,
  test: {
    imports: (_method, { extension }) => [
      "import Fastify from 'fastify';",
      `import { webhooks } from './webhooks.${extension}';`,
    ],
    send: (method, t) => `
async function send(headers${t(': Record<string, string>')}, body${t(': Buffer')})${t(': Promise<number>')} {
  const app = Fastify();
  await app.register(webhooks);
  const { statusCode } = await app.inject({ method: '${method}', url: '/', headers, payload: body });
  await app.close();
  return statusCode;
}
`,
  },
};
