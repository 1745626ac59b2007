import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: JWK;
}

export async function newSigningKey(kid: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { kid, privateKey, publicKey: { ...(await exportJWK(publicKey)), kid, alg: 'RS256' } };
}

/** An OpenID Connect provider on this machine that answers as a test says, rightly or wrongly. */
export class ForgingProvider {
  key!: SigningKey;
  /** The ID token of a nonce; by default signed, with `claims`. */
  idToken: (nonce: string) => Promise<string> | string = (nonce) => this.sign({ nonce });
  /** Claims beside those that are right. */
  claims: JWTPayload = {};
  userInfo: Answer | null = null;
  /** Instead of the tokens. */
  refusal: Answer | null = null;
  authMethods: readonly string[] | undefined = undefined;
  hasKeys = true;
  /** Requests to the token endpoint. */
  asked: { readonly authorization: string | undefined; readonly body: URLSearchParams }[] = [];
  private nonce = '';

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<ForgingProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new ForgingProvider(issuer, server);
    provider.key = await newSigningKey('first');
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = new URLSearchParams(Buffer.concat(chunks).toString());
        void provider.answer(request.url ?? '', request.headers.authorization, body).then(
          ({ status, body: answer }) => {
            response.writeHead(status, { 'content-type': 'application/json' });
            response.end(JSON.stringify(answer));
          },
          () => response.destroy(),
        );
      });
    });
    return provider;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Where a browser that was sent to `url` comes back to. */
  comeBack(url: string, error?: string): string {
    const { searchParams: asked } = new URL(url);
    this.nonce = asked.get('nonce') ?? '';
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set(error === undefined ? 'code' : 'error', error ?? 'a-code');
    return back.href;
  }

  /** An ID token with the claims that are right but for those given. */
  sign(claims: JWTPayload, key = this.key): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const right = { iss: this.issuer, sub: 'nadja', aud: 'popindex', iat: now, exp: now + 60 };
    return new SignJWT({ ...right, ...this.claims, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid })
      .sign(key.privateKey);
  }

  private async answer(
    path: string,
    authorization: string | undefined,
    body: URLSearchParams,
  ): Promise<Answer> {
    const { issuer } = this;
    switch (path) {
      case '/.well-known/openid-configuration':
        return { status: 200, body: this.metadata() };
      case '/jwks':
        return this.hasKeys
          ? { status: 200, body: { keys: [this.key.publicKey] } }
          : { status: 503, body: {} };
      case '/token':
        this.asked.push({ authorization, body });
        if (this.refusal !== null) return this.refusal;
        return {
          status: 200,
          body: {
            access_token: 'a-token',
            token_type: 'bearer',
            id_token: await this.idToken(this.nonce),
          },
        };
      case '/userinfo':
        return this.userInfo ?? { status: 404, body: {} };
      default:
        throw new Error(`${issuer} has no ${path}.`);
    }
  }

  private metadata() {
    const { issuer, authMethods } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      ...(this.userInfo !== null && { userinfo_endpoint: `${issuer}/userinfo` }),
      ...(authMethods && { token_endpoint_auth_methods_supported: authMethods }),
    };
  }
}
