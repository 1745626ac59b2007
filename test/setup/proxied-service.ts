import { freePort } from './free-port.js';
import { CLIENT, TestIdentityProvider } from './identity-provider.js';
import { PathProxy } from './path-proxy.js';
import { Service } from './service.js';

/** A service whose three servers stand below paths of one address, with an identity provider. */
export class ProxiedService {
  private constructor(
    readonly service: Service,
    readonly people: TestIdentityProvider,
    private readonly proxy: PathProxy,
    readonly urls: Readonly<Record<'BASE_URL' | 'ADMIN_URL' | 'PORTAL_URL', string>>,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<ProxiedService> {
    const [api, admin, portal] = [await freePort(), await freePort(), await freePort()];
    const proxy = await PathProxy.start({ '/data/v2.0': api, '/ops': admin, '/my': portal });
    const urls = {
      BASE_URL: `${proxy.url}/data/v2.0`,
      ADMIN_URL: `${proxy.url}/ops`,
      PORTAL_URL: `${proxy.url}/my`,
    };
    const doors = [urls.ADMIN_URL, urls.PORTAL_URL];
    const people = await TestIdentityProvider.start(doors.map((url) => `${url}/oidc/callback`));
    const service = await Service.start({
      ...urls,
      API_PORT: String(api),
      ACCOUNTING_PORT: String(admin),
      PORTAL_PORT: String(portal),
      OIDC_ISSUER: people.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      ...env,
    });
    return new ProxiedService(service, people, proxy, urls);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.people.stop();
    await this.proxy.stop();
  }
}
