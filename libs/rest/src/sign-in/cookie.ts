import type { FastifyRequest } from 'fastify';
import { basePathOf, isSecure } from '#web/configuration-urls.js';

/** A cookie that scripts cannot read and other sites cannot send, unless it is `Lax`. */
export class SessionCookie {
  private readonly fullName: string;
  private readonly attributes: string;

  /**
   * `publicUrl`: where browsers find this server. Behind https the name begins with `__Host-`,
   * which no other host can set; a cookie without `Secure`, or for one path of a host, must not be
   * called that: the latter is `__Secure-`.
   */
  constructor(
    name: string,
    publicUrl: string | null,
    private readonly seconds: number,
    sameSite: 'Strict' | 'Lax' = 'Strict',
  ) {
    const isHttps = isSecure(publicUrl);
    const path = basePathOf(publicUrl) || '/';
    const prefix = path === '/' ? '__Host-' : '__Secure-';
    this.fullName = isHttps ? prefix + name : name;
    this.attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}${isHttps ? '; Secure' : ''}`;
  }

  /** The `Set-Cookie` that keeps a value. */
  set(value: string): string {
    return `${this.fullName}=${value}; Max-Age=${this.seconds}; ${this.attributes}`;
  }

  /** The `Set-Cookie` that ends it. */
  clear(): string {
    return `${this.fullName}=; Max-Age=0; ${this.attributes}`;
  }

  /** Its value; undefined also where it was sent twice, because then one of the two was planted. */
  read({ headers }: FastifyRequest): string | undefined {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const found = pairs.filter((pair) => pair.startsWith(`${this.fullName}=`));
    return found.length === 1 ? found[0]?.slice(this.fullName.length + 1) : undefined;
  }
}
