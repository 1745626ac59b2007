import { Controller, Get, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NOTHING_HERE, ProblemException } from '#web/problem.js';
import type { OidcAuthenticator } from './oidc-authenticator.js';

/**
 * Addresses that a browser opens while somebody signs in with the company account. `oidc`: null
 * where there is no identity provider.
 */
export function oidcController(oidc: OidcAuthenticator | null): Type {
  const authenticator = (): OidcAuthenticator => {
    if (oidc === null) throw new ProblemException(NOTHING_HERE);
    return oidc;
  };

  @Controller('oidc')
  class OidcController {
    @Get('sign-in')
    async signIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      const { return_to: returnTo } = request.query as { readonly return_to?: unknown };
      const page = typeof returnTo === 'string' ? returnTo : undefined;
      await authenticator().begin(request, reply, page);
    }

    @Get('callback')
    async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      await authenticator().finish(request, reply);
    }

    @Get('sign-out')
    async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      await authenticator().end(request, reply);
    }
  }
  return OidcController;
}
