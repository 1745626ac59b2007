import type { Provider } from '@nestjs/common';
import { IdentityProvider } from '#rest/oidc/identity-provider.js';
import { OidcAuthenticator } from '#rest/oidc/oidc-authenticator.js';
import { OIDC_AUTHENTICATOR } from '#rest/oidc/oidc.controller.js';
import { SIGN_IN_LINKS } from '#deliveries/sign-in-links.js';
import { MailedLinks } from '#rest/members/mailed-links.js';
import { MemberRows } from '#rest/members/member-rows.js';
import { Memberships } from '#rest/members/memberships.js';
import { PortalAuthenticator } from '#rest/portal-sessions/portal-authenticator.js';
import { PortalSessions } from '#rest/portal-sessions/portal-sessions.js';
import { SessionCookie } from '#rest/sign-in/cookie.js';
import { SignIns } from '#rest/sign-in/sign-ins.js';
import { AnonymousRates } from '#web/rates/anonymous-rates.js';
import type { PortalDependencies } from './portal-dependencies.js';

/** Providers of members: their accounts, and the way in with the company account. */
export function signingIn({
  configuration,
  deliveries,
  log,
  reads,
  clock,
}: PortalDependencies): readonly Provider[] {
  const { portalUrl, oidc } = configuration;
  const { signInLinks: links } = deliveries;
  const onFault = (error: unknown): void =>
    log.warn({ err: error }, 'A link to sign in with could not be planned.');
  return [
    { provide: SIGN_IN_LINKS, useValue: links },
    {
      provide: MailedLinks,
      inject: [MemberRows, Memberships, AnonymousRates, SignIns],
      useFactory: (
        rows: MemberRows,
        memberships: Memberships,
        strangers: AnonymousRates,
        signIns: SignIns,
      ) => {
        const doors = { rows, memberships, strangers, signIns, hasProvider: oidc !== null };
        return new MailedLinks({ links, ...doors, onFault });
      },
    },
    {
      provide: Memberships,
      inject: [MemberRows, PortalSessions, PortalAuthenticator, SessionCookie],
      useFactory: (
        rows: MemberRows,
        sessions: PortalSessions,
        door: PortalAuthenticator,
        cookie: SessionCookie,
      ) => new Memberships({ rows, sessions, door, cookie, reads, clock }),
    },
    {
      provide: OIDC_AUTHENTICATOR,
      inject: [Memberships, AnonymousRates, SignIns],
      useFactory: (memberships: Memberships, strangers: AnonymousRates, signIns: SignIns) =>
        oidc &&
        new OidcAuthenticator({
          provider: new IdentityProvider(oidc, log),
          publicUrl: portalUrl,
          door: 'portal',
          strangers,
          signIns,
          enter: (request, identity) => memberships.enter(request, identity),
        }),
    },
  ];
}
