import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemAnswer } from './answer-headers.js';
import { invalidParameters } from './parameter-fault.js';
import { type Problem, problem } from './problem.js';

/** Longest request target that is looked at, in characters. */
export const URL_LENGTH_MAX = 8192;
/** All headers of a request together with its first line, in bytes. */
export const HEADERS_SIZE_MAX = 32_768;

interface SocketError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/**
 * Answers what never becomes a request: garbage, headers that are too large or too slow, CONNECT.
 * Each gets a problem with an id of its own, after the answers that are still owed on its socket.
 */
export class SocketRefusals {
  readonly #last = new WeakMap<Duplex, ServerResponse>();

  constructor(readonly baseUrl: string) {}

  attach(server: Server): void {
    server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      const detail = 'This server is no proxy.';
      this.#write(socket, problem('method-not-allowed', detail, {}, { allow: 'GET, HEAD' }));
    });
    // An expectation that is not "100-continue" may be passed over (RFC 9110, 10.1.1).
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response);
    });
  }

  /** Remembers the newest answer that is owed on a socket. */
  owe(response: ServerResponse): void {
    if (response.req.socket) this.#last.set(response.req.socket, response);
  }

  /** The handler of the server's clientError. */
  refuse(error: SocketError, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) {
      socket.destroy();
      return;
    }
    const owed = this.#last.get(socket);
    if (owed === undefined || owed.writableFinished || owed.destroyed) {
      this.#write(socket, socketProblem(error));
      return;
    }
    // A request that is cut off in its body is itself the one that is refused.
    if (!owed.req.complete && !owed.headersSent) this.#write(socket, socketProblem(error));
    else owed.once('close', () => this.#write(socket, socketProblem(error)));
  }

  #write(socket: Duplex, refused: Problem): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const { status, headers, body } = problemAnswer(refused, this.baseUrl, randomUUID());
    const lines = Object.entries({
      ...headers,
      date: new Date().toUTCString(),
      connection: 'close',
    });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${body}`, () => {
      socket.destroy();
    });
  }
}

function socketProblem(error: SocketError): Problem {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('timeout', 'The request did not arrive whole in time.');
    case 'HPE_HEADER_OVERFLOW':
      return firstLineLength(error.rawPacket) > URL_LENGTH_MAX
        ? uriTooLong()
        : problem('headers-too-large', `The headers hold more than ${HEADERS_SIZE_MAX} bytes.`);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problem('too-large', 'The extensions of a chunk are too large.');
    case undefined:
    default:
      return invalidParameters([
        {
          in: 'request',
          name: 'message',
          value: null,
          detail: 'The bytes are no HTTP/1.1 request.',
        },
      ]);
  }
}

export function uriTooLong(): Problem {
  return problem('uri-too-long', `An address holds at most ${URL_LENGTH_MAX} characters.`);
}

function firstLineLength(packet: Buffer | undefined): number {
  if (packet === undefined) return 0;
  const end = packet.indexOf('\r\n');
  return end === -1 ? packet.length : end;
}
