// Lists the tools and makes a valid and an invalid call with the TypeScript SDK's
// clients. Prints the result of each client as one line of JSON.
// Arguments: the server's URL, its binary, the valid and the invalid arguments.
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';

const [url, binary, good, bad] = process.argv.slice(2);
const info = { name: 'test', version: '1' };
const target = new URL(url);
const child = { command: binary, args: ['mcp'] };
const second = (mode?: string | { pin: string }) =>
  new Client2(info, mode === undefined ? {} : ({ versionNegotiation: { mode } } as object));

async function report(name: string, client: any, transport: any): Promise<void> {
  await client.connect(transport);
  const { tools } = await client.listTools();
  const call = (text: string) => client.callTool({ name: 'json_format', arguments: JSON.parse(text) });
  const result = {
    client: name,
    tools: tools.map((tool: { name: string }) => tool.name),
    good: await call(good),
    bad: await call(bad),
  };
  console.log(JSON.stringify(result));
  await client.close();
}

await report('1 over HTTP', new Client1(info), new Http1(target));
await report('2 legacy over HTTP', second('legacy'), new Http2(target));
await report('2 auto over HTTP', second('auto'), new Http2(target));
await report('2 pinned over HTTP', second({ pin: '2026-07-28' }), new Http2(target));
await report('1 over stdio', new Client1(info), new Stdio1(child));
await report('2 over stdio', second('auto'), new Stdio2(child));
