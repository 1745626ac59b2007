/** Where there is no page, as in a spec of what its modules compute, there is no such element. */
const meta =
  'document' in globalThis
    ? document.querySelector<HTMLMetaElement>('meta[name="base-path"]')
    : null;

/** The path of the server's public address, which the server writes into the page; often none. */
export const BASE_PATH = (meta?.content ?? '').replace(/\/$/, '');

/** The path of this page at the server. */
export function pagePath(): string {
  return location.pathname.slice(BASE_PATH.length) || '/';
}
