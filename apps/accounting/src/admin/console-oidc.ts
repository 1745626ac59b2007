import type { Provider } from '@nestjs/common';
import { ConsoleSessions } from '#rest/console-sessions/console-sessions.js';
import { IdentityProvider, SignInFailed } from '#rest/oidc/identity-provider.js';
import { OidcAuthenticator } from '#rest/oidc/oidc-authenticator.js';
import { OIDC_AUTHENTICATOR } from '#rest/oidc/oidc.controller.js';
import { ROLES } from '#rest/operation/role.js';
import { OperatorRows } from '#rest/operators/operator-rows.js';
import { SignIns } from '#rest/sign-in/sign-ins.js';
import { localUrl } from '#web/configuration-urls.js';
import { AnonymousRates } from '#web/rates/anonymous-rates.js';
import type { AdminDependencies } from './admin-dependencies.js';

/** Signing in to the console with the company account; null: there is no identity provider. */
export function consoleOidc({ configuration, log, clock }: AdminDependencies): Provider {
  const { oidc, adminUrl, host, accountingPort } = configuration;
  return {
    provide: OIDC_AUTHENTICATOR,
    inject: [ConsoleSessions, OperatorRows, AnonymousRates, SignIns],
    useFactory: (
      sessions: ConsoleSessions,
      operators: OperatorRows,
      strangers: AnonymousRates,
      signIns: SignIns,
    ) =>
      oidc &&
      new OidcAuthenticator({
        provider: new IdentityProvider(oidc, log),
        publicUrl: adminUrl ?? localUrl(host, accountingPort),
        door: 'console',
        strangers,
        signIns,
        enter: async (_request, identity) => {
          // The first of several, in the order of rights.
          const role = ROLES.find((known) => identity.roles.includes(known));
          if (role === undefined) throw new SignInFailed('no-role');
          const by = await operators.keep(identity, role, clock.now());
          return { cookie: await sessions.openFor(by, role), by };
        },
      }),
  };
}
