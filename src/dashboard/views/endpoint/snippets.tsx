import { CodeChoice } from '../../parts/code/code-choice.tsx';

const BODY = '{"hello": "world"}';

/** Returns examples that send a request to a capture URL. */
const snippetsOf = (url: string) => [
  {
    name: 'curl',
    text: `curl ${url} \\\n  -H 'content-type: application/json' \\\n  -d '${BODY}'`,
  },
  {
    name: 'fetch',
    text: `await fetch('${url}', {\n  method: 'POST',\n  headers: { 'content-type': 'application/json' },\n  body: JSON.stringify({ hello: 'world' }),\n});`,
  },
  {
    name: 'Python',
    text: `import json, urllib.request\n\nurllib.request.urlopen(urllib.request.Request(\n    "${url}",\n    data=json.dumps({"hello": "world"}).encode(),\n    headers={"content-type": "application/json"},\n))`,
  },
];

export function Snippets({ url }: { url: string }) {
  return <CodeChoice choices={snippetsOf(url)} label={(name) => `${name} example`} />;
}
