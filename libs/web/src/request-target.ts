const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/**
 * The path and query of a request target. A proxy may send the absolute form (RFC 9112, 3.2.2);
 * everything else is taken as sent: no dot segment is resolved and nothing is decoded.
 */
export function requestTarget(url: string): string {
  if (url.charCodeAt(0) === 0x2f || !ABSOLUTE.test(url)) return url;
  const rest = url.replace(ABSOLUTE, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Host and port of an absolute form, as `URL` writes them; null of what is none. */
export function hostOf(url: string): string | null {
  const [origin, host] = ABSOLUTE.exec(url) ?? [];
  if (origin === undefined || host === undefined) return null;
  return URL.canParse(origin) ? new URL(origin).host : host;
}

/** The target at this server of an address or path that may begin with its base path. */
export function withoutBasePath(target: string, basePath: string): string {
  return target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target;
}

/** The target without its query. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}
