import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { problemAnswer } from '../answer-headers.js';
import { invalidParameters } from '../parameter-fault.js';
import { type Problem, problem } from '../problem.js';

/** Longest request target that is looked at, in characters. */
export const URL_LENGTH_MAX = 8192;
/** All headers of a request together with its first line, in bytes. */
export const HEADERS_SIZE_MAX = 32_768;
/** How long a refused client may go on sending, in ms, so that it can read why. */
const LINGER_MS = 1_000;

/** As Node calls it. */
const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const ignore = (): void => undefined;

/** A first line of which nothing is wrong but its method. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [\x21-\x7e]+ HTTP\/1\.[01]$/;
/** Methods that this server takes at any address. */
export const METHODS = 'GET, HEAD, OPTIONS, POST';

interface SocketError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  /** How much of the packet was in order. */
  readonly bytesParsed?: number;
}

/**
 * Answers what never becomes a request: garbage, headers that are too large or too slow, CONNECT.
 * Each gets a problem with an id of its own, after the answers that are still owed on its socket.
 */
export class SocketRefusals {
  /** The newest answer that is owed on a socket. */
  readonly #last = new WeakMap<Duplex, ServerResponse>();
  readonly #refused = new WeakSet<Duplex>();
  /** Owed already, and to be handled once their body may come. */
  readonly #invited = new WeakSet<ServerResponse>();
  /** For an answer that has to wait: the one before it. */
  readonly #before = new WeakMap<ServerResponse, ServerResponse>();

  /** `always`: headers that every answer of the server has. */
  constructor(
    readonly baseUrl: string,
    readonly always: Readonly<Record<string, string>> = {},
  ) {}

  attach(server: Server): void {
    server.on('connection', (socket: Socket) => {
      // How Node ends a connection behind the last answer that it carries.
      socket.destroySoon = () => endGently(socket);
    });
    server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      // Node takes its own listener away: a client that resets the connection would end the
      // process.
      socket.on('error', () => socket.destroy());
      this.#refused.add(socket);
      const detail = 'This server is no proxy.';
      const refused = problem('method-not-allowed', detail, {}, { allow: METHODS });
      this.#refuseAfter(this.#last.get(socket), socket, refused);
    });
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      this.inTurn(response, () => {
        this.#invited.add(response);
        response.writeContinue();
        server.emit('request', request, response);
      });
    });
    // An expectation that is not "100-continue" may be passed over (RFC 9110, 10.1.1).
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response);
    });
  }

  /**
   * Serves a request once the answer before it on its connection is said. If that one was the
   * last that the connection carries (RFC 9112, 9.6), nobody would hear this one: it is not
   * carried out.
   */
  inTurn(response: ServerResponse, serve: () => void): void {
    if (this.#invited.has(response)) {
      serve();
      return;
    }
    const { socket } = response.req;
    const last = this.#last.get(socket);
    if (last !== undefined && isLastOfConnection(last)) {
      passOver(socket);
      return;
    }
    this.#last.set(socket, response);
    if (last === undefined || isSaid(last)) {
      serve();
      return;
    }
    this.#before.set(response, last);
    afterAnswer(last, () => {
      this.#before.delete(response);
      if (socket.destroyed || isLastOfConnection(last)) passOver(socket);
      else if (response.req.complete || !this.#refused.has(socket)) serve();
    });
  }

  /** Whether all that comes on a socket from now on is thrown away: its last answer is decided. */
  isOver(socket: Duplex): boolean {
    if (socket.destroyed || this.#refused.has(socket)) return true;
    const last = this.#last.get(socket);
    return last !== undefined && last.req.complete && isLastOfConnection(last);
  }

  /** The handler of the server's clientError. */
  refuse(error: SocketError, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) {
      socket.destroy();
      return;
    }
    // What comes behind the bytes that were refused is not looked at any more.
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    const owed = this.#last.get(socket);
    const refused = socketProblem(error);
    if (owed === undefined || owed.req.complete) this.#refuseAfter(owed, socket, refused);
    // A request that breaks off in its body is itself the one that is refused, unless it was
    // answered before: a second answer would be taken for that of the next request.
    else if (owed.headersSent) afterAnswer(owed, () => endGently(socket));
    else this.#refuseAfter(this.#before.get(owed), socket, refused);
  }

  /** Refuses the request that is arriving on a socket: it takes too long. */
  refuseSlow(socket: Duplex): void {
    this.refuse(Object.assign(new Error('The body is too slow.'), { code: TIMEOUT }), socket);
  }

  /** Refuses once everything that is owed before has been said. */
  #refuseAfter(owed: ServerResponse | undefined, socket: Duplex, refused: Problem): void {
    if (owed === undefined) this.#write(socket, refused);
    // Node ends the connection by itself behind the last answer that it carries.
    else if (isSaid(owed) || !isLastOfConnection(owed)) {
      afterAnswer(owed, () => this.#write(socket, refused));
    }
  }

  #write(socket: Duplex, refused: Problem): void {
    if (!socket.writable) return;
    const { status, headers, body } = problemAnswer(refused, this.baseUrl, randomUUID());
    const lines = Object.entries({
      ...headers,
      ...this.always,
      date: new Date().toUTCString(),
      connection: 'close',
    });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    endGently(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${body}`);
  }
}

/** Reading on as requests would cost more than the refusal did, and hold each in memory. */
function passOver(socket: Duplex): void {
  socket.removeAllListeners('data').on('data', ignore);
}

/**
 * Closing a socket that holds bytes nobody has read resets the connection, and the client's system
 * throws away what it has not read either: the answer. So what still comes is read for a while.
 */
function endGently(socket: Duplex, last = ''): void {
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
  socket.end(last);
  socket.resume();
}

function afterAnswer(response: ServerResponse, then: () => void): void {
  if (isSaid(response)) then();
  else response.once('close', then);
}

function isSaid(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed;
}

function isLastOfConnection(response: ServerResponse): boolean {
  return !response.shouldKeepAlive || response.getHeader('connection') === 'close';
}

function socketProblem(error: SocketError): Problem {
  switch (error.code) {
    case TIMEOUT:
      return problem(
        'timeout',
        'The request did not arrive whole in time: send it again, without a pause.',
      );
    case 'HPE_HEADER_OVERFLOW':
      return firstLineLength(error.rawPacket) > URL_LENGTH_MAX
        ? uriTooLong()
        : problem('headers-too-large', `The headers hold more than ${HEADERS_SIZE_MAX} bytes.`);
    case 'HPE_INVALID_METHOD':
      if (!REQUEST_LINE.test(brokenLine(error))) return noRequest();
      return problem('method-not-allowed', `This server takes ${METHODS}.`, {}, { allow: METHODS });
    case undefined:
    default:
      return noRequest();
  }
}

function noRequest(): Problem {
  const detail = 'The bytes are not an HTTP/1.1 request.';
  return invalidParameters([{ in: 'request', name: 'message', value: null, detail }]);
}

/** The line in which the reading stopped, without its end. */
function brokenLine({ rawPacket, bytesParsed = 0 }: SocketError): string {
  const text = rawPacket?.toString('latin1') ?? '';
  const start = text.lastIndexOf('\n', bytesParsed) + 1;
  return text.slice(start, text.indexOf('\r\n', start));
}

export function uriTooLong(): Problem {
  return problem('uri-too-long', `An address holds at most ${URL_LENGTH_MAX} characters.`);
}

function firstLineLength(packet: Buffer | undefined): number {
  if (packet === undefined) return 0;
  const end = packet.indexOf('\r\n');
  return end === -1 ? packet.length : end;
}
