import type { NodeFramework } from './node-handler.ts';

export const express: NodeFramework = {
  module: 'webhooks',
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
};
