import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Foundation, FOUNDATION } from './foundation.js';
import { sendJson } from './table-answer.js';
import { VERSION } from './version.js';

@Controller()
export class HealthController {
  constructor(@Inject(FOUNDATION) private readonly foundation: Foundation) {}

  @Get('healthz')
  healthz(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendJson(request, reply, { alive: true, version: VERSION });
  }

  @Get('readyz')
  async readyz(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const state = await this.foundation.readiness();
    if (!state.ready) void reply.code(503).header('retry-after', '1');
    sendJson(request, reply, state);
  }
}
