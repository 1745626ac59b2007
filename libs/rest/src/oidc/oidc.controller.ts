import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NOTHING_HERE, ProblemException } from '#web/problem.js';
import { OidcAuthenticator } from './oidc-authenticator.js';

export const OIDC_AUTHENTICATOR = Symbol('oidc authenticator');

/** Addresses that a browser opens while somebody signs in with the company account. */
@Controller('oidc')
export class OidcController {
  /** Null: there is no identity provider. */
  constructor(@Inject(OIDC_AUTHENTICATOR) private readonly oidc: OidcAuthenticator | null) {}

  @Get('sign-in')
  async signIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { return_to: returnTo } = request.query as { readonly return_to?: unknown };
    await this.authenticator().begin(
      request,
      reply,
      typeof returnTo === 'string' ? returnTo : undefined,
    );
  }

  @Get('callback')
  async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.authenticator().finish(request, reply);
  }

  @Get('sign-out')
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.authenticator().end(request, reply);
  }

  private authenticator(): OidcAuthenticator {
    if (this.oidc === null) throw new ProblemException(NOTHING_HERE);
    return this.oidc;
  }
}
