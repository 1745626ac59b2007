import type { Abstract, Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Scope } from '#account/terms.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Change } from '#deciding/changes/change.js';
import type { Parameter } from '#web/openapi-document.js';
import type { ProblemSlug } from '#web/problem.js';
import type { Answer } from './answer.js';
import type { PathValues } from './path-parameters.js';
import type { Role } from './role.js';

/** Who may ask for an operation, and so in which interfaces it stands. */
export interface Access {
  /** Roles of admin tokens beside `owner`; absent: it is no operation of the admin REST. */
  readonly roles?: readonly Exclude<Role, 'owner'>[];
  /**
   * The least role of a session of the portal, `own`: of a manager, or of the session that the path
   * names; absent: it is no operation of the portal.
   */
  readonly session?: 'viewer' | 'manager' | 'own';
  /** The scope of an API key; absent: it is no operation of the public API. */
  readonly scope?: Scope;
  /** Whether it takes no credentials: it signs in. */
  readonly isOpen?: true;
}

/** The words of a command line for an operation. Whatever is not said follows from its schemas. */
export interface CommandLine {
  /** Noun and verb: `budget replace`. */
  readonly name: string;
  readonly description: string;
  /** An example: the words after the name. */
  readonly example: string;
  /** Members of body and query as arguments behind those of the path; `file`: the body as JSON. */
  readonly arguments?: readonly string[];
  /** Members that are options; all the others unless given. */
  readonly options?: readonly string[];
  /** Flags by member where they are not `--the-member <value>`. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Members of each item that a list shows; `state.due`: of an object in it. */
  readonly columns?: readonly string[];
  /** Printed when the answer is empty. */
  readonly done?: string;
}

/** One request for an operation, read and checked. */
export interface OperationRequest<Path extends string = string, Query = unknown, Body = unknown> {
  /** With `account_id` also where it is that of a session or an API key. */
  readonly path: PathValues<Path>;
  readonly query: Query;
  readonly body: Body;
  /** The one account that the caller may see; null: any account (operators). */
  readonly account: string | null;
  /** As it arrived: its cookies, and whom it was admitted as. */
  readonly request: FastifyRequest;
}

/** The same for an operation that changes something. */
export interface ChangeRequest<
  Path extends string = string,
  Query = unknown,
  Body = unknown,
> extends OperationRequest<Path, Query, Body> {
  readonly change: Change;
}

/** The outcome of an operation: its view, and members that become status and headers. */
export interface Outcome<View> {
  readonly view: View;
  /** Whether an earlier request under the same idempotency key did it. */
  readonly replayed?: boolean;
  /** The `ETag`. */
  readonly tag?: string;
  /** The `Set-Cookie`. */
  readonly cookie?: string;
  /** 202 where it goes on after its answer (`mayGoOn`). */
  readonly status?: 202;
}

interface OperationParts<Service, Path extends string, Query, Further, Body, View, Parsed> {
  /** The `operationId`, the same in every document. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Below the prefix of the interface; `{…_id}` is a UUID, others are in `path-parameters.ts`. */
  readonly path: Path;
  readonly access: Access;
  /** In the time zone of a calendar, where it names dates. */
  readonly query?: Query | ((calendar: Calendar) => Query);
  /** Further parameters that operators alone may send. */
  readonly operatorQuery?: Further;
  /** Headers that it reads, as documents show them. */
  readonly headers?: readonly Parameter[];
  readonly body?: Body;
  /**
   * Reads the body where more is wrong with it than its schema says, which then only documents
   * show. Throws a ProblemException (`invalid-body`) with all faults at once.
   */
  readonly readBody?: (service: Service, body: unknown) => Parsed;
  /** The body as a stream, by its media types with an example of each: `request.body` is it. */
  readonly stream?: Readonly<Record<string, string>>;
  /** Whether no body is the same as an empty object. */
  readonly isBodyOptional?: boolean;
  readonly answer: Answer<View>;
  /** Its problems, beside those of all operations of its kind. */
  readonly problems?: readonly ProblemSlug[];
  /** Requests of a key or session that it counts as, by its body as sent; 1 by default. */
  readonly requestsOf?: (body: unknown) => number;
  readonly cli?: CommandLine;
}

type None = z.ZodUndefined;
type NoQuery = z.ZodObject<Record<never, never>>;

/** The values of a query; what operators alone may send is not always there. */
type Values<Query, Further extends z.ZodRawShape> = z.output<Query> &
  Partial<z.output<z.ZodObject<Further>>>;

/** An operation that changes nothing. */
export interface Read<
  Service,
  Path extends string,
  Query,
  Further extends z.ZodRawShape,
  Body,
  View,
  Parsed,
> extends OperationParts<Service, Path, Query, Further, Body, View, Parsed> {
  /** GET unless there is a body. */
  readonly method?: 'post';
  /**
   * The projection that has to hold what stood in the log at the request; null: none. After 2 s in
   * vain `Projection-Lag` reports how many events the view may lack.
   */
  readonly waitsFor?: (
    asked: OperationRequest<Path, Values<Query, Further>, Parsed>,
  ) => string | null;
  /**
   * Whether it confirms (`AccountReader`) the API key that was called with, as of the moment that
   * it shows. Without a query it is admitted by what is remembered of the key.
   */
  readonly confirmsKey?: true;
  readonly run: (
    service: Service,
    asked: OperationRequest<Path, Values<Query, Further>, Parsed>,
  ) => Promise<Outcome<View>> | Outcome<View>;
}

/** An operation that changes something: a command. */
export interface Write<
  Service,
  Path extends string,
  Query,
  Body,
  View,
  Parsed,
> extends OperationParts<Service, Path, Query, z.ZodRawShape, Body, View, Parsed> {
  readonly method: 'post' | 'put' | 'patch' | 'delete';
  /** Whether documents show `If-Match`. */
  readonly isConditional?: boolean;
  /** Where what was made or goes on is found, below the prefix: `Location` of the admin REST. */
  readonly location?: (view: View, asked: ChangeRequest<Path>) => string;
  readonly run: (
    service: Service,
    asked: ChangeRequest<Path, z.output<Query>, Parsed>,
  ) => Promise<Outcome<View>>;
}

/**
 * One operation, whole. Routes, documents, roles and commands are made from this value; nothing
 * else names its path or its schemas.
 */
export interface Operation extends Omit<
  OperationParts<unknown, string, z.ZodObject, z.ZodRawShape, z.ZodType, unknown, unknown>,
  'answer'
> {
  readonly tag: string;
  readonly kind: 'read' | 'change';
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly answer: Answer<unknown>;
  readonly isConditional?: boolean;
  location?(this: void, view: unknown, asked: ChangeRequest): string;
  waitsFor?(this: void, asked: OperationRequest): string | null;
  readonly confirmsKey?: true;
  run(service: unknown, asked: OperationRequest): Promise<Outcome<unknown>> | Outcome<unknown>;
}

/** The operations of one noun and the service that they are asked of. */
export interface Resource {
  readonly service: Type<unknown> | Abstract<unknown>;
  readonly operations: readonly Operation[];
}

/** Makes operations of one tag that are asked of one service. */
export function operationsOf<Service>(tag: string) {
  const read = <
    const Path extends string,
    View,
    Query extends z.ZodObject = NoQuery,
    Further extends z.ZodRawShape = Record<never, never>,
    Body extends z.ZodType = None,
    Parsed = z.output<Body>,
  >(
    value: Read<Service, Path, Query, Further, Body, View, Parsed>,
  ): Operation => ({ tag, kind: 'read', method: 'get', ...value }) as unknown as Operation;
  const change = <
    const Path extends string,
    View,
    Query extends z.ZodObject = NoQuery,
    Body extends z.ZodType = None,
    Parsed = z.output<Body>,
  >(
    value: Write<Service, Path, Query, Body, View, Parsed>,
  ): Operation => ({ tag, kind: 'change', ...value }) as unknown as Operation;
  return { read, change };
}
