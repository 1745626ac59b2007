import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Calendar } from '#calendar/calendar.js';
import { parseBody } from '#web/body.js';
import { ProblemException } from '#web/problem.js';
import { sendJson } from '#web/table-answer.js';
import { sendNothing } from '#rest/operation/answers.js';
import { readPath } from '#rest/operation/request-parameters.js';
import { SignIns } from '#rest/sign-in/sign-ins.js';
import { OWNER } from '#rest/operation/operator.js';
import type { Admitted } from '#rest/console-sessions/admin-door.js';
import { admittedOf } from './admin-door.hook.js';
import { AdminTokens } from '#rest/admin-tokens/admin-tokens.js';
import { ConsoleSessions } from '#rest/console-sessions/console-sessions.js';
import type { Role } from '#rest/operation/role.js';

const TOKEN_LENGTH_MAX = 1_000;

/** Body of `POST /session`. A token is a word: what the door takes behind `Bearer`. */
export const consoleSignInBody = z.strictObject({
  token: z
    .string()
    .max(TOKEN_LENGTH_MAX)
    .regex(/^[\x21-\x7e]+$/, 'An admin token'),
});

interface ConsoleSessionView {
  readonly token_id: string;
  readonly name: string | null;
  readonly role: Role;
  readonly billing_time_zone: string;
}

/** Signing in to the console with an admin token, and out. */
@Controller('admin/v1/session')
export class ConsoleSessionController {
  constructor(
    @Inject(ConsoleSessions) private readonly sessions: ConsoleSessions,
    @Inject(AdminTokens) private readonly tokens: AdminTokens,
    @Inject(SignIns) private readonly signIns: SignIns,
    @Inject(Calendar) private readonly calendar: Calendar,
  ) {}

  @Post()
  @HttpCode(200)
  async signIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    readPath(request);
    const { token } = parseBody(consoleSignInBody, body);
    const admitted = await this.open(request, reply, token);
    this.signIns.note(request, 'signed-in', { door: 'console', by: admitted.tokenId });
    sendJson(request, reply, await this.show(admitted));
  }

  @Get()
  async session(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    readPath(request);
    sendJson(request, reply, await this.show(admittedOf(request)));
  }

  @Delete()
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    readPath(request);
    await this.sessions.close(request, reply);
    sendNothing(reply, { view: null, replayed: false });
  }

  private async open(request: FastifyRequest, reply: FastifyReply, token: string) {
    try {
      return await this.sessions.open(reply, token);
    } catch (error) {
      if (error instanceof ProblemException) {
        this.signIns.note(request, 'sign-in-failed', { door: 'console' });
      }
      throw error;
    }
  }

  private async show({ tokenId, role }: Admitted): Promise<ConsoleSessionView> {
    const terms = { token_id: tokenId, role, billing_time_zone: this.calendar.zone };
    if (tokenId === OWNER) return { ...terms, name: 'ADMIN_TOKEN' };
    const names = await this.tokens.names([tokenId]);
    return { ...terms, name: names.get(tokenId) ?? null };
  }
}
