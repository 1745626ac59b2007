import type { FastifyInstance, FastifyReply } from 'fastify';
import { HTTPS_ONLY } from '../answer-headers.js';
import { basePathOf, isSecure } from '../configuration-urls.js';

/** Where clients find a server. */
export interface PublicAddress {
  /** The address of the public API, where the pages of problems are. */
  readonly baseUrl: string;
  /** Where this server is found, if that is another address; null: that is not known. */
  readonly publicUrl?: string | null;
  /** Whether browsers are to find it by https alone; unless given, its address says so. */
  readonly isHttps?: boolean;
}

function urlOf({ baseUrl, publicUrl }: PublicAddress): string | null {
  return publicUrl === undefined ? baseUrl : publicUrl;
}

/** The header that keeps browsers to https, where that is how they find the server. */
export function httpsOnly(address: PublicAddress): Record<string, string> {
  const { isHttps = isSecure(urlOf(address)) } = address;
  return isHttps ? HTTPS_ONLY : {};
}

/**
 * Sends `Location` and `Link` as clients find them: a proxy in front takes the path of the public
 * address away, so routes know nothing of it.
 */
export function sendPublicAddresses(fastify: FastifyInstance, address: PublicAddress): void {
  const basePath = basePathOf(urlOf(address));
  if (basePath === '') return;
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    addBasePath(reply, basePath);
    done();
  });
}

function addBasePath(reply: FastifyReply, basePath: string): void {
  const { location, link } = reply.getHeaders();
  if (typeof location === 'string' && location.startsWith('/')) {
    void reply.header('location', basePath + location);
  }
  if (typeof link === 'string') void reply.header('link', link.replaceAll('</', `<${basePath}/`));
}
