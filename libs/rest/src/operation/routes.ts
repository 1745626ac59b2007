import {
  Body,
  type CanActivate,
  Controller,
  Delete,
  Get,
  Inject,
  Patch,
  Post,
  Put,
  Req,
  Res,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Calendar } from '#calendar/calendar.js';
import { ChangeCommand } from './change-command.js';
import type { AccountOf, Interface } from './interfaces.js';
import type { OperationRequest, ChangeRequest, Operation, Outcome, Resource } from './operation.js';
import { routeOf } from './path-parameters.js';
import { NO_QUERY, queryOf, readRequest } from './read-request.js';
import { serviceOf, type Services } from './services.js';

const VERBS = { get: Get, post: Post, put: Put, patch: Patch, delete: Delete } as const;
const NO_ACCOUNT: AccountOf = () => null;

/** Waits until a projection holds the log; answers how many events it lacks after 2 s in vain. */
export type LagOf = (projection: string) => Promise<number>;
const NO_LAG: LagOf = async () => 0;

/** The operation that a route serves, for guards. */
export const Serves = Reflector.createDecorator<Operation>();

/** Services and callers that the routes of an interface serve. */
export interface RouteSettings {
  readonly services: Services;
  readonly calendar: Calendar;
  readonly accountOf?: AccountOf;
  readonly lagOf?: LagOf;
  readonly guards?: readonly CanActivate[];
}

/** A Nest controller with a route for each operation of a resource that stands in an interface. */
export function routesOf(to: Interface, resource: Resource, settings: RouteSettings): Type {
  const { operations } = resource;
  const { services, calendar, accountOf = NO_ACCOUNT, lagOf = NO_LAG, guards = [] } = settings;
  const service = serviceOf(resource, services);
  const isOperator = to.name === 'admin';
  const queries = new Map(operations.map((one) => [one, queryOf(one, isOperator, calendar)]));

  @Controller(to.prefix.slice(1))
  @UseGuards(...guards)
  class Routes {
    constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

    async serve(operation: Operation, path: string, request: FastifyRequest, reply: FastifyReply) {
      const query = queries.get(operation) ?? NO_QUERY;
      const account = operation.access.isOpen === true ? null : accountOf(request);
      const place = { path, query, account };
      const asked = readRequest(operation, service, request, place);
      const projection = operation.waitsFor?.(asked) ?? null;
      const lag = projection === null ? 0 : await lagOf(projection);
      if (lag > 0) void reply.header('projection-lag', String(lag));
      const outcome = await this.run(operation, asked);
      setHeaders(to, operation, asked, reply, outcome);
      await operation.answer.send(request, reply, outcome.view, asked.query);
    }

    private async run(operation: Operation, asked: OperationRequest): Promise<Outcome<unknown>> {
      if (operation.kind === 'read') return operation.run(service, asked);
      return this.commands.execute(new ChangeCommand(operation, service, asked as ChangeRequest));
    }
  }
  return withRoutes(Routes, to, operations);
}

/** Gives a controller a route for each operation that stands in an interface. */
export function withRoutes(
  controller: Type<Serving>,
  to: Interface,
  operations: readonly Operation[],
): Type {
  for (const operation of operations) {
    const path = to.pathOf(operation);
    if (path !== undefined) addRoute(controller, operation, path);
  }
  return controller;
}

/** A controller that answers requests for operations. */
export interface Serving {
  serve(
    operation: Operation,
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void>;
}

function addRoute({ prototype }: Type<Serving>, operation: Operation, path: string): void {
  const { id, method } = operation;
  const value = async function route(this: Serving, request: FastifyRequest, reply: FastifyReply) {
    await this.serve(operation, path, request, reply);
  };
  const descriptor = { value, configurable: true };
  Object.defineProperty(prototype, id, descriptor);
  [Req(), Res(), Body()].forEach((parameter, index) => parameter(prototype, id, index));
  Serves(operation)(value);
  if (operation.stream) {
    RouteConfig({ streams: Object.keys(operation.stream) })(prototype, id, descriptor);
  }
  VERBS[method](routeOf(path))(prototype, id, descriptor);
}

function setHeaders(
  { name, prefix }: Interface,
  { answer, location }: Operation,
  asked: OperationRequest,
  reply: FastifyReply,
  outcome: Outcome<unknown>,
): void {
  const { view, replayed, tag, cookie } = outcome;
  const status = outcome.status ?? answer.status;
  void reply.code(status);
  if (replayed === true) void reply.header('idempotent-replayed', 'true');
  if (tag !== undefined && name !== 'public') void reply.header('etag', tag);
  if (cookie !== undefined) void reply.header('set-cookie', cookie);
  if (name === 'admin' && location !== undefined && status !== 200) {
    void reply.header('location', `${prefix}${location(view, asked as ChangeRequest)}`);
  }
}
