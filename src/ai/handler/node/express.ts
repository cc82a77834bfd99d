import type { NodeFramework } from './node-handler.ts';

export const express: NodeFramework = {
  module: 'webhooks',
  needs: 'express 5',
  usage: (extension) => [
    "Mount it before any express.json(): signatures cover the body's exact bytes.",
    '',
    `  import { webhooks } from './webhooks.${extension}';`,
    "  app.use('/webhooks', webhooks);",
  ],
  imports: (t) => [
    t.isTyped
      ? "import express, { type Request, type Response } from 'express';"
      : "import express from 'express';",
  ],
  route: (method, t) => `
export const webhooks${t(': express.Router')} = express.Router();

webhooks.${method.toLowerCase()}(
  '/',
  express.raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false }),
  async (req${t(': Request')}, res${t(': Response')}) => {
    // Without a body, req.body isn't a Buffer.
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    try {
      const { status, text } = await receive((name) => req.get(name), body);
      res.status(status).type('text/plain').send(text);
    } catch (error) {
      console.error('webhook failed', error);
      res.status(500).type('text/plain').send('failed');
    }
  },
);
`,
  test: {
    imports: (_method, t) => [
      "import { once } from 'node:events';",
      "import { createServer, request } from 'node:http';",
      ...(t.isTyped ? ["import type { AddressInfo } from 'node:net';"] : []),
      "import express from 'express';",
      `import { webhooks } from './webhooks.${t.extension}';`,
    ],
    send: (method, t) => `
async function send(headers${t(': Record<string, string>')}, body${t(': Buffer')})${t(': Promise<number | undefined>')} {
  const server = createServer(express().use('/webhooks', webhooks)).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address()${t(' as AddressInfo')};
    const sent = request({ port, path: '/webhooks', method: '${method}', headers, agent: false });
    sent.setHeader('content-length', body.length);
    sent.end(body);
    const [response] = await once(sent, 'response');
    response.resume();
    return response.statusCode;
  } finally {
    server.close();
  }
}
`,
  },
};
