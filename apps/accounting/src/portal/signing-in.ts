import type { Provider } from '@nestjs/common';
import { IdentityProvider } from '#rest/oidc/identity-provider.js';
import { OidcDoor } from '#rest/oidc/oidc-door.js';
import { OIDC_DOOR } from '#rest/oidc/oidc.controller.js';
import { MemberRows } from '#rest/members/member-rows.js';
import { Memberships } from '#rest/members/memberships.js';
import { PortalDoor } from '#rest/portal-sessions/portal-door.js';
import { PortalSessions } from '#rest/portal-sessions/portal-sessions.js';
import { SessionCookie } from '#rest/sign-in/cookie.js';
import { SignIns } from '#rest/sign-in/sign-ins.js';
import { Strangers } from '#web/rates/strangers.js';
import type { PortalDependencies } from './portal-dependencies.js';

const HOME = '/';

/** Providers of members: their accounts, and the way in with the company account. */
export function signingIn({
  configuration,
  log,
  reads,
  clock,
}: PortalDependencies): readonly Provider[] {
  return [
    {
      provide: Memberships,
      inject: [MemberRows, PortalSessions, PortalDoor, SessionCookie],
      useFactory: (
        rows: MemberRows,
        sessions: PortalSessions,
        door: PortalDoor,
        cookie: SessionCookie,
      ) => new Memberships({ rows, sessions, door, cookie, reads, clock }),
    },
    {
      provide: OIDC_DOOR,
      inject: [Memberships, Strangers, SignIns],
      useFactory: (memberships: Memberships, strangers: Strangers, signIns: SignIns) =>
        configuration.oidc &&
        new OidcDoor({
          provider: new IdentityProvider(configuration.oidc, log),
          publicUrl: configuration.portalUrl,
          home: HOME,
          door: 'portal',
          strangers,
          signIns,
          enter: (request, identity) => memberships.enter(request, identity),
        }),
    },
  ];
}
