import type { FastifyRequest } from 'fastify';

/** A cookie that scripts cannot read and other sites cannot send, unless it is `Lax`. */
export class SessionCookie {
  private readonly fullName: string;
  private readonly attributes: string;

  /**
   * `publicUrl`: where browsers find this server. Behind https the name begins with `__Host-`,
   * which no other host can set; a cookie without `Secure` must not be called that.
   */
  constructor(
    name: string,
    publicUrl: string | null,
    private readonly seconds: number,
    sameSite: 'Strict' | 'Lax' = 'Strict',
  ) {
    const isSecure = publicUrl?.startsWith('https:') === true;
    this.fullName = isSecure ? `__Host-${name}` : name;
    this.attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
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
