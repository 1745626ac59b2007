import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NOT_DECODED } from '#rating/path-fault.js';
import { SECURITY_HEADERS } from '../answer-headers.js';
import { limitArrival } from '../arrival-limit.js';
import { compressed } from './compressed.js';
import { CrossOrigin } from './cross-origin.js';
import { countLength, FrontDoor, type FrontDoorOptions, refuseTooMany } from './front-door.js';
import { readHeadByHead } from './head-by-head.js';
import { parseJsonBody } from './json-body-parser.js';
import { refuseType, STREAMED_TYPES, takeStream } from './streamed-body.js';
import { endJsonLine } from './json-line.js';
import type { Log } from '../log.js';
import { NestLog } from './nest-log.js';
import { invalidParameters } from '../parameter-fault.js';
import { NOTHING_HERE, nothingAt, type Problem, ProblemException, problem } from '../problem.js';
import { ProblemFilter } from './problem.filter.js';
import { httpsOnly, type PublicAddress, sendPublicAddresses } from './public-address.js';
import { ConnectionRate } from '../rates/connection-rate.js';
import { pathOf, requestTarget } from '../request-target.js';
import { RouteTable } from './route-table.js';
import { KEEP_ALIVE_MS } from './send-answer.js';
import { StreamFaults } from './stream-faults.js';
import type { Telemetry } from '../telemetry.js';
import {
  HEADERS_SIZE_MAX,
  METHODS,
  SocketRefusals,
  URL_LENGTH_MAX,
  uriTooLong,
} from './socket-refusals.js';

/** Takes requests before any framework does: for the few routes where each microsecond counts. */
export interface RawRoutes {
  /** `target`: path and query as sent. */
  takes(method: string, target: string): boolean;
  /** `always`: headers that every answer of the server has, names and values in turn. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    target: string,
    always: readonly string[],
  ): void;
  /** Methods of a path that no other route knows; empty when it is none of these either. */
  methodsOf(path: string): readonly string[];
}

export interface HttpServerOptions extends FrontDoorOptions, PublicAddress {
  readonly log: Log;
  readonly raw?: RawRoutes;
  /** Adds hooks that refuse whoever may not ask. */
  readonly authentication?: { addTo(fastify: FastifyInstance): void };
  readonly telemetry?: Telemetry | undefined;
  readonly trustProxy?: readonly string[];
  /** Ids of requests that another server has admitted; absent: each request gets a new one. */
  readonly requestIdOf?: (request: IncomingMessage) => string;
  /** Origins whose pages may read answers; those of documents are for all. */
  readonly corsOrigins?: readonly string[];
  /** Largest body, in bytes. */
  readonly bodyBytesMax?: number;
  /** Milliseconds for the headers, and for the body, to arrive. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
}

const BODY_BYTES_MAX = 1_048_576;
/** Holds a space, which no request target can: nobody reaches it but through `rewriteUrl`. */
const RAW_PATH = '/ raw';
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** For a body that is read piece by piece. */
const STREAM_TIMEOUT_MS = 20 * 60_000;

/**
 * A Nest application on Fastify with everything that every HTTP answer of the service has in
 * common: problems for every refusal (RFC 9457), an id for every request, strict JSON bodies, 405
 * with Allow, OPTIONS, limits of time and size. Initialised, not listening.
 */
export async function createHttpServer(
  module: DynamicModule | Type,
  options: HttpServerOptions,
): Promise<NestFastifyApplication> {
  const filter = new ProblemFilter(options.baseUrl, options.log);
  const routes = new RouteTable();
  const adapter = new FastifyAdapter(serverOptions(options, filter, routes));
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  fastify.addHook('onRoute', ({ url, method }) => {
    if (url !== RAW_PATH) routes.add(url, [method].flat());
  });
  const methodsOf = (path: string): string[] => [
    ...routes.methodsOf(path),
    ...(options.raw?.methodsOf(path) ?? []),
  ];
  fastify.addHook('onRequest', async (request, reply) => {
    setCommonHeaders(request, reply);
    refuseTooMany(request, options.strangers);
    return admit(request, reply, methodsOf);
  });
  options.authentication?.addTo(fastify);
  fastify.addHook('onSend', endJsonLine);
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    countLength(request, payload, options.strangers);
    done();
  });
  fastify.addHook('onSend', compressed);
  sendPublicAddresses(fastify, options);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody);
  fastify.addContentTypeParser([...STREAMED_TYPES], takeStream);
  fastify.addContentTypeParser('*', refuseType);
  if (options.raw) addRawRoute(fastify, options.raw, filter);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: new NestLog(options.log),
    abortOnError: false,
  });
  app.useGlobalFilters(filter);
  await app.init();
  await fastify.ready();
  return app;
}

function serverOptions(
  options: HttpServerOptions,
  filter: ProblemFilter,
  routes: RouteTable,
): object {
  const door = new FrontDoor(options, (request, path) => {
    const { method = '' } = request;
    return method !== 'OPTIONS' && isAdmissible(request) && routes.methodsOf(path).includes(method);
  });
  const refusals = new SocketRefusals(options.baseUrl, httpsOnly(options));
  return {
    // Our own ids only: one that a client chose would let it forge another's trace.
    genReqId: options.requestIdOf ?? (() => randomUUID()),
    bodyLimit: options.bodyBytesMax ?? BODY_BYTES_MAX,
    return503OnClosing: false,
    logController: new StreamFaults(options.log),
    forceCloseConnections: 'idle',
    trustProxy: options.trustProxy ? [...options.trustProxy] : false,
    routerOptions: { maxParamLength: URL_LENGTH_MAX },
    clientErrorHandler: refusals.refuse.bind(refusals),
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      setCommonHeaders(request, reply);
      filter.send(new ProblemException(NOTHING_HERE), request, reply);
    },
    rewriteUrl: (request: IncomingMessage & { originalUrl?: string }) => {
      const target = requestTarget(request.url ?? '/');
      request.originalUrl = target;
      return options.raw?.takes(request.method ?? 'GET', target) ? RAW_PATH : target;
    },
    serverFactory: (handler: (request: IncomingMessage, response: ServerResponse) => void) =>
      makeServer(handler, options, refusals, door),
  };
}

function makeServer(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  options: HttpServerOptions,
  refusals: SocketRefusals,
  door: FrontDoor,
): Server {
  const { raw, telemetry, headersTimeoutMs = HEADERS_TIMEOUT_MS } = options;
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const always = Object.entries(httpsOnly(options));
  const rawAlways = always.flat();
  const crossOrigin = new CrossOrigin(options.corsOrigins ?? []);
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    limitArrival(request, response, requestTimeoutMs, () => refusals.refuseSlow(request.socket));
    const target = requestTarget(request.url ?? '/');
    telemetry?.observe(request, response, target);
    const shared = crossOrigin.headersOf(request, target);
    if (raw?.takes(request.method ?? 'GET', target) && isAdmissible(request)) {
      if (!server.listening) response.setHeader('connection', 'close');
      afterBody(request, () =>
        raw.handle(request, response, target, withShared(rawAlways, shared)),
      );
      return;
    }
    for (const [name, value] of always) response.setHeader(name, value);
    for (let at = 0; at < shared.length; at += 2) {
      response.setHeader(shared[at] ?? '', shared[at + 1] ?? '');
    }
    door.admit(request, response, target, () => handler(request, response));
  };
  const server = createServer(
    {
      maxHeaderSize: HEADERS_SIZE_MAX,
      // Node would refuse a request without Host in its own words; `admit` does it in ours.
      requireHostHeader: false,
      headersTimeout: headersTimeoutMs,
      requestTimeout: STREAM_TIMEOUT_MS,
      connectionsCheckingInterval: Math.min(1000, headersTimeoutMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
    },
    (request, response) => refusals.inTurn(response, () => serve(request, response)),
  );
  refusals.attach(server);
  server.on('connection', (socket: Socket) => {
    const isPressing = options.strangers?.isPressing({ headers: {}, socket }) ?? false;
    if (isPressing) readHeadByHead(socket, () => refusals.isOver(socket));
  });
  new ConnectionRate(options.trustProxy ?? []).attach(server);
  return server;
}

/** Nearly every request comes from no web page. */
function withShared(always: readonly string[], shared: readonly string[]): readonly string[] {
  return shared.length === 0 ? always : [...always, ...shared];
}

/** Requests that reach Fastify without a socket (injected ones) find the raw routes here. */
function addRawRoute(fastify: FastifyInstance, raw: RawRoutes, filter: ProblemFilter): void {
  fastify.route({
    method: ['GET', 'HEAD'],
    url: RAW_PATH,
    // It is registered before Nest's error handler, and would keep the framework's own.
    errorHandler: (error, request, reply) => filter.send(error, request, reply),
    handler: async (request, reply) => {
      reply.hijack();
      raw.handle(request.raw, reply.raw, request.originalUrl, []);
    },
  });
}

async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  methodsOf: (path: string) => string[],
): Promise<FastifyReply | undefined> {
  const refused = inadmissible(request);
  if (refused) throw new ProblemException(refused);
  const path = pathOf(request.originalUrl);
  if (!request.is404) return takeAsSent(path);
  const methods = path === '*' ? [METHODS] : methodsOf(path);
  if (methods.length === 0) {
    throw new ProblemException(nothingAt(path, (other) => methodsOf(other).length > 0));
  }
  const allow = methods.join(', ');
  if (request.method !== 'OPTIONS') {
    const detail = `This address takes ${allow}.`;
    throw new ProblemException(problem('method-not-allowed', detail, {}, { allow }));
  }
  return reply.code(204).headers({ allow, 'cache-control': 'no-store' }).send();
}

/** The router decodes and leaves fragments out; here an address has one spelling. */
function takeAsSent(path: string): undefined {
  if (path.includes('#')) throw new ProblemException(NOTHING_HERE);
  if (!path.includes('%')) return undefined;
  const fault = { in: 'path', name: 'path', value: path, detail: NOT_DECODED } as const;
  throw new ProblemException(invalidParameters([fault]));
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('request-id', request.id).headers(SECURITY_HEADERS);
}

/**
 * Raw routes take no body, but they wait for the end of one: a request that breaks off in its body
 * is refused, and must not have been carried out.
 */
function afterBody(request: IncomingMessage, then: () => void): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length === undefined && coding === undefined) then();
  else request.once('end', then).resume();
}

/** The cheap half of `inadmissible`, for routes without the framework. */
function isAdmissible(request: IncomingMessage): boolean {
  return hostsOf(request) === 1 && (request.url ?? '').length <= URL_LENGTH_MAX;
}

/** Node keeps the first of several, and another server on the way might keep the last. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

function inadmissible(request: FastifyRequest): Problem | undefined {
  if (request.originalUrl.length > URL_LENGTH_MAX) return uriTooLong();
  const hosts = hostsOf(request.raw);
  if (hosts === 1 || (hosts === 0 && request.raw.httpVersion === '1.0')) return undefined;
  const value = request.headers.host ?? null;
  const detail = 'HTTP/1.1 needs one Host header.';
  return invalidParameters([{ in: 'header', name: 'Host', value, detail }]);
}
