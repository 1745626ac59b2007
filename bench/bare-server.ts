// Answers every request with bytes that were made before: what HTTP by `node:http` costs at least.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SampleAnswer } from './sample-answers.js';

const file = process.env['BARE_ANSWERS'] ?? '';
const answers = (JSON.parse(readFileSync(file, 'utf8')) as SampleAnswer[]).map(
  ({ headers, body }) => ({ headers, body: Buffer.from(body) }),
);
let next = 0;

const server = createServer({ noDelay: true }, (_request, response) => {
  const answer = answers[next++ % answers.length];
  response.writeHead(200, answer?.headers).end(answer?.body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Public API   http://127.0.0.1:${port}\nReady.\n`);
});
process.on('SIGTERM', () => process.exit(0));
