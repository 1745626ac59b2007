import { Body, Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '#web/body.js';
import { ProblemException, problem } from '#web/problem.js';
import { sendJson } from '#web/table-answer.js';
import type { Made } from '#deciding/changes/made.js';
import { sendChanged, sendStarted } from '#rest/operation/answers.js';
import { Reason } from '#rest/operation/reason.js';
import { readChange, readPath } from '#rest/operation/request-parameters.js';
import { acknowledgeLossBody } from '../log-tools/acknowledge-loss.body.js';
import { LossAcknowledgement } from '../log-tools/loss-acknowledgement.js';
import { LOG_TOOLS, type LogTools } from './log-tools.js';
import { rebuildView, verificationView } from './log-tools-view.js';
import { ToolStarts } from './tool-starts.js';

/** Long works on the log: they are begun here, and asked after until they are done. */
@Controller('admin/v1')
export class LogToolsController {
  constructor(
    @Inject(LOG_TOOLS) private readonly tools: LogTools,
    @Inject(ToolStarts) private readonly starts: ToolStarts,
    @Inject(LossAcknowledgement) private readonly losses: LossAcknowledgement,
  ) {}

  @Post('log/acknowledge')
  async acknowledge(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ) {
    const change = readChange(request);
    const { reason } = parseBody(acknowledgeLossBody, body);
    sendChanged(request, reply, await this.losses.acknowledge(change, reason));
  }

  @Post('projections/:name/rebuild')
  async rebuild(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request);
    const { name } = request.params as { readonly name: string };
    const made = await this.starts.rebuild(name, change, reasonOf(body));
    sendStarted(request, reply, shown(made, rebuildView), '/admin/v1/projections');
  }

  @Post('verify')
  async verify(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const made = await this.starts.verification(readChange(request), reasonOf(body));
    sendStarted(request, reply, shown(made, verificationView), '/admin/v1/verify');
  }

  @Get('verify')
  verification(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    readPath(request);
    const state = this.tools.verifications.state();
    if (state === null) {
      const detail = 'This process has not verified the log yet.';
      throw new ProblemException(problem('not-found', detail));
    }
    sendJson(request, reply, verificationView(state));
  }
}

function reasonOf(body: unknown): string | undefined {
  return parseBody(Reason, body === undefined ? {} : body).reason;
}

function shown<State>(
  { view, replayed }: Made<State>,
  show: (state: State) => object | null,
): Made<object | null> {
  return { view: show(view), replayed };
}
