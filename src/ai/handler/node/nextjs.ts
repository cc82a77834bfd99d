import type { NodeFramework } from './node-handler.ts';

export const nextjs: NodeFramework = {
  module: 'route',
  needs: 'Next.js 15 or later',
  usage: (extension) => [`Save it as app/api/webhooks/route.${extension} (App Router).`],
  imports: () => [],
  route: (method, t) => `
/** Verifying signatures needs node:crypto. */
export const runtime = 'nodejs';

export async function ${method}(request${t(': Request')})${t(': Promise<Response>')} {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > MAX_BODY_BYTES) return new Response('too large', { status: 413 });
  try {
    const body = Buffer.from(await request.arrayBuffer());
    const header${t(': Header')} = (name) => request.headers.get(name) ?? undefined;
    const { status, text } = await receive(header, body);
    return new Response(text, { status });
  } catch (error) {
    console.error('webhook failed', error);
    return new Response('failed', { status: 500 });
  }
}
`,
  test: {
    imports: (method, { extension }) => [`import { ${method} } from './route.${extension}';`],
    // A GET request of the Fetch API can't have a body.
    send: (method, t) => `
async function send(headers${t(': Record<string, string>')}, body${t(': Buffer')})${t(': Promise<number>')} {
  const url = 'http://localhost/api/webhooks';
  const sent = new Request(url, { method: '${method}', headers${method === 'GET' ? '' : ', body: new Uint8Array(body)'} });
  return (await ${method}(sent)).status;
}
`,
  },
};
