import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { admitOperator } from '#rest/operation/operator.js';

/** Who asks, as an API process has admitted them: nobody else reaches this server. */
export const ACCOUNT_HEADER = 'popindex-account';
export const API_KEY_HEADER = 'popindex-api-key';

/** The account of the API key that a request was admitted with. */
export function accountOf(request: FastifyRequest): string {
  return headerOf(request, ACCOUNT_HEADER);
}

/** Notes the API key that a request was admitted with: changes are recorded as its changes. */
@Injectable()
export class KeyHolderAuthenticator implements OnModuleInit {
  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', async (request) => {
      admitOperator(request, headerOf(request, API_KEY_HEADER));
    });
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name];
  if (typeof value !== 'string') throw new Error(`A forwarded request lacks ${name}.`);
  return value;
}
