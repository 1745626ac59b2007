import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpServer } from './http-server.js';

@Controller()
class HelloController {
  @Get('hello')
  hello(): object {
    return {};
  }
}

@Module({ controllers: [HelloController] })
class HelloModule {}

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const raw = {
  takes: (_method: string, target: string) => target === '/raw',
  handle: (
    _request: unknown,
    response: import('node:http').ServerResponse,
    _target: string,
    always: readonly string[],
  ) => {
    response.writeHead(200, ['Content-Length', '0', ...always]).end();
  },
  methodsOf: () => [],
};

let app: NestFastifyApplication | undefined;

afterEach(() => app?.close());

/** Answers of a server with these addresses, as they come over the wire. */
async function answersOf(baseUrl: string, publicUrl?: string | null): Promise<string[]> {
  const addresses = publicUrl === undefined ? { baseUrl } : { baseUrl, publicUrl };
  app = await createHttpServer(HelloModule, { ...addresses, log, raw });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const requests = ['GET /hello', 'GET /nowhere', 'GET /raw'].map(
    (line) => `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
  return Promise.all(
    [...requests, 'garbage\r\n\r\n'].map((request) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(request);
      return text(socket);
    }),
  );
}

const HSTS = /^strict-transport-security: max-age=31536000\r$/im;

test.each([
  ['https://data.example.com', undefined],
  ['http://127.0.0.1:3000', 'https://portal.example.com'],
])('a server at %s, %s sends HSTS with every answer', async (baseUrl, publicUrl) => {
  for (const answer of await answersOf(baseUrl, publicUrl)) expect(answer).toMatch(HSTS);
});

test.each([
  ['http://127.0.0.1:3000', undefined],
  ['https://data.example.com', 'http://127.0.0.1:3001'],
  ['https://data.example.com', null],
])('a server at %s, %s sends it with none', async (baseUrl, publicUrl) => {
  for (const answer of await answersOf(baseUrl, publicUrl)) expect(answer).not.toMatch(HSTS);
});
