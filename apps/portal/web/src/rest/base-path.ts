const meta = document.querySelector<HTMLMetaElement>('meta[name="base-path"]');

/** The path of the server's public address, which the server writes into the page; often none. */
export const BASE_PATH = (meta?.content ?? '').replace(/\/$/, '');

/** The path of this page at the server. */
export function pagePath(): string {
  return location.pathname.slice(BASE_PATH.length) || '/';
}
