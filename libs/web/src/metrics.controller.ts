import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Foundation, FOUNDATION } from './foundation.js';
import { refuseMetrics } from './metrics-access.js';
import { NOTHING_HERE, ProblemException } from './problem.js';
import { NO_STORE } from './table-answer.js';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics are for METRICS_TOKEN, for this machine alone, and for the console. */
@Controller()
export class MetricsController {
  constructor(@Inject(FOUNDATION) private readonly foundation: Foundation) {}

  @Get('metrics')
  async metrics(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { telemetry } = this.foundation;
    if (telemetry === undefined) {
      throw new ProblemException(NOTHING_HERE);
    }
    const refused = refuseMetrics(request.raw, telemetry.metricsAccess);
    if (refused !== null) throw new ProblemException(refused);
    const text = await telemetry.metricsText();
    void reply.header('content-type', METRICS_TYPE).header('cache-control', NO_STORE).send(text);
  }
}
