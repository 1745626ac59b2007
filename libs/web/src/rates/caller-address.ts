import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Where a request comes from, as far as its connection and its headers say. */
export interface Sender {
  readonly headers: IncomingMessage['headers'];
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const FORWARDED_FOR = /(?:^|;)\s*for\s*=\s*("[^"]*"|[^;\s]*)/i;
/** An IPv4 address as an IPv6 one (RFC 4291, 2.5.5.2), in either way of writing. */
const MAPPED = /^(?:0{0,4}:){1,5}:?ffff:(?:([\d.]+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i;

/**
 * Distinguishes callers by their addresses. Behind a proxy that is trusted, the right-most address
 * of X-Forwarded-For or Forwarded that no trusted proxy has counts: what stands left of it anybody
 * can write.
 */
export class CallerAddresses {
  readonly #trusted = new BlockList();
  readonly #trustsAny: boolean;

  /** `trustProxy`: addresses and ranges of proxies whose word counts. */
  constructor(trustProxy: readonly string[]) {
    this.#trustsAny = trustProxy.length > 0;
    for (const one of trustProxy) {
      const [address = '', bits] = one.split('/', 2);
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(bits), family);
    }
  }

  /** The name under which a request is counted: an IPv4 address, or the /64 of an IPv6 address. */
  of({ headers, socket }: Sender): string {
    const peer = plainAddress(socket.remoteAddress ?? '');
    if (!this.#trusts(peer)) return networkOf(peer);
    const said = [
      this.#sentThrough(hopsOf(headers['x-forwarded-for']), peer),
      this.#sentThrough(forwardedHopsOf(headers['forwarded']), peer),
    ].filter((one) => one !== undefined);
    const [first = peer, second = first] = said;
    // A proxy writes one of both headers; the other came from outside and may say anything.
    return networkOf(first === second ? first : peer);
  }

  /** Whether a connection is that of a proxy whose word counts. */
  isTrusted(peer: string): boolean {
    return this.#trusts(plainAddress(peer));
  }

  #sentThrough(hops: readonly string[], peer: string): string | undefined {
    if (hops.length === 0) return undefined;
    let address = peer;
    for (const hop of hops.toReversed()) {
      if (!this.#trusts(address) || isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  }

  #trusts(address: string): boolean {
    // The list makes an object of each address that it looks up.
    if (!this.#trustsAny) return false;
    const family = isIP(address);
    return family !== 0 && this.#trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}

function hopsOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return header.toString().split(',').map(hopOf);
}

function forwardedHopsOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return header
    .toString()
    .split(',')
    .map((element) => hopOf((FORWARDED_FOR.exec(element)?.[1] ?? '').replaceAll('"', '')));
}

/** An address as proxies write it: with a port perhaps, an IPv6 address then in brackets. */
function hopOf(text: string): string {
  const hop = text.trim();
  const bracketed = /^\[([^\]]*)\]/.exec(hop)?.[1];
  if (bracketed !== undefined) return plainAddress(bracketed);
  const isWithPort = hop.indexOf(':') === hop.lastIndexOf(':');
  return plainAddress(isWithPort ? hop.replace(/:\d+$/, '') : hop);
}

/** Without a zone; an IPv6 address that holds an IPv4 one is that. */
function plainAddress(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return plain;
  const [, dotted, high, low] = MAPPED.exec(plain) ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return plain;
  const halves = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return halves.flatMap((half) => [half >> 8, half & 255]).join('.');
}

function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - widthOf(right));
  const groups = [...left, ...Array.from({ length: gap }, () => '0'), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** Groups that a part of an address takes: an IPv4 address at its end takes two. */
function widthOf(groups: readonly string[]): number {
  return groups.length + (groups.at(-1)?.includes('.') ? 1 : 0);
}
