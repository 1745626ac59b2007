const LENGTH_MAX = 1_000;

/**
 * Path and query of a page to come back to; `home` for an address elsewhere, however it is written.
 * `publicUrl`: where browsers find this server.
 */
export function ownPage(publicUrl: string, path: string | undefined, home: string): string {
  if (path === undefined || path.length > LENGTH_MAX) return home;
  const { origin } = new URL(publicUrl);
  if (!path.startsWith('/') || !URL.canParse(path, origin)) return home;
  const url = new URL(path, origin);
  return url.origin === origin ? url.pathname + url.search : home;
}
