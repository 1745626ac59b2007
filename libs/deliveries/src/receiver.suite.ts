import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** One request as it arrived. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** How a receiver answers; unless it ends the answer, the sender waits. */
export type Answer = (response: http.ServerResponse, received: ReceivedRequest) => void;

export function status(code: number, headers: http.OutgoingHttpHeaders = {}): Answer {
  return (response) => void response.writeHead(code, headers).end();
}

/** Takes the request and never says a word. */
export const silence: Answer = () => undefined;

/** A server of a customer's, on this machine. */
export class Receiver {
  readonly received: ReceivedRequest[] = [];
  /** Connections that were ever made to it. */
  connections = 0;
  answer: Answer = status(204);
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: http.Server,
    private readonly scheme: 'http' | 'https',
  ) {
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => undefined);
    });
    server.on('request', (request, response) => void this.take(request, response));
  }

  static async start(tls?: https.ServerOptions, host = '127.0.0.1'): Promise<Receiver> {
    const server = tls === undefined ? http.createServer() : https.createServer(tls);
    const receiver = new Receiver(server, tls === undefined ? 'http' : 'https');
    server.listen(0, host);
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(host = '127.0.0.1', path = '/hooks'): string {
    return `${this.scheme}://${host}:${this.port}${path}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks).toString('utf8');
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body };
    this.received.push(received);
    this.answer(response, received);
  }
}
