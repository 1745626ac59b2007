import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Configuration, Provider } from 'oidc-provider';

/** A person at the identity provider, with the claims that it gives out. */
export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly roles?: readonly string[];
}

export const CLIENT = { id: 'popindex', secret: 'a-secret-between-two-programs' } as const;

/** The `Cookie` of a browser that has got these `Set-Cookie`. */
export function cookiesOf(header: string | readonly string[] | undefined): string {
  return [header ?? []]
    .flat()
    .map((set) => set.split(';')[0])
    .join('; ');
}

/** A real OpenID Connect provider on this machine, at which one person is signed in at a time. */
export class TestIdentityProvider {
  /** Whoever comes next; null: refuses to sign in. */
  person: Person | null = null;
  private readonly people = new Map<string, Person>();

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  /** `callbacks`: addresses that the provider may send people back to. */
  static async start(callbacks: readonly string[]): Promise<TestIdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const started = new TestIdentityProvider(issuer, server);
    const provider = await quietly(() => started.provider(callbacks));
    const callback = provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true)
        return void callback(request, response);
      const { person } = started;
      if (person !== null) started.people.set(person.sub, person);
      const result =
        person === null
          ? { error: 'access_denied', error_description: 'Not today.' }
          : { login: { accountId: person.sub } };
      void provider.interactionFinished(request, response, result);
    });
    return started;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Goes to an address of the provider as a browser; returns where that is sent in the end. */
  async visit(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let at = url;
    for (let hops = 0; hops < 10 && at.startsWith(this.issuer); hops += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [pair = ''] = set.split(';');
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      const location = answer.headers.get('location');
      if (location === null)
        throw new Error(`${at} answered ${answer.status}: ${await answer.text()}`);
      at = new URL(location, at).href;
    }
    return at;
  }

  private async provider(callbacks: readonly string[]): Promise<Provider> {
    const { Provider: ProviderOf } = await import('oidc-provider');
    const configuration: Configuration = {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [...callbacks],
        },
      ],
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'roles'],
      },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: async () => ({ ...this.people.get(sub), sub }),
      }),
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      async loadExistingGrant(context) {
        const { client, session, provider } = context.oidc;
        const grant = new provider.Grant({
          ...(client && { clientId: client.clientId }),
          ...(session?.accountId !== undefined && { accountId: session.accountId }),
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      ttl: {
        AccessToken: 60,
        AuthorizationCode: 60,
        Grant: 60,
        IdToken: 60,
        Interaction: 60,
        Session: 60,
      },
      cookies: { keys: ['a-key-of-the-test'] },
    };
    return new ProviderOf(this.issuer, configuration);
  }
}

/** It warns of what is right in a test: rows in memory, keys and a runtime of its own choice. */
async function quietly<Made>(make: () => Promise<Made>): Promise<Made> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await make();
  } finally {
    console.warn = warn;
  }
}
