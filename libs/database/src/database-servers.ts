/** Which of several servers is connected to: one that takes writes, or any that answers. */
export type SessionTarget = 'any' | 'read-write';

/** The servers that a connection string names. */
export interface DatabaseServers {
  /** A connection string for each, in the order given. */
  readonly urls: readonly string[];
  readonly target: SessionTarget;
}

const TARGETS: Readonly<Record<string, SessionTarget>> = {
  any: 'any',
  'read-write': 'read-write',
  primary: 'read-write',
};
const PARAMETER = 'target_session_attrs';
const CONNECTION = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(\/[^?#]*)?(?:\?(.*))?$/;
const SERVER = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/;
const PORT_MAX = 65_535;
const DEFAULT_PORT = 5_432;

/**
 * Reads `postgresql://user:password@host1:5432,host2:5433/name?target_session_attrs=read-write`, as
 * libpq does. With several hosts the default is the one that takes writes. Returns the fault of a
 * wrong URL as a text without any password.
 */
export function databaseServers(url: string): DatabaseServers | string {
  const [, start = '', hosts = '', path = '', query = ''] = CONNECTION.exec(url) ?? [];
  if (start === '') return 'it is no postgresql:// URL';
  const parameters = query.split('&').filter((each) => each !== '');
  const isTarget = (each: string): boolean => each.startsWith(`${PARAMETER}=`);
  const wanted = parameters.find(isTarget)?.slice(PARAMETER.length + 1);
  const target = wanted === undefined ? undefined : TARGETS[decodeURIComponent(wanted)];
  if (wanted !== undefined && target === undefined) {
    return `${PARAMETER} takes read-write, primary or any`;
  }
  const names = hosts.split(',');
  if (names.length === 1 && wanted === undefined) return { urls: [url], target: 'any' };
  const wrong = names.findIndex((name) => !isServer(name));
  if (wrong >= 0) return `host ${wrong + 1} of ${names.length} is no host:port`;
  const others = parameters.filter((each) => !isTarget(each));
  const end = others.length > 0 ? `${path}?${others.join('&')}` : path;
  return { urls: names.map((name) => `${start}${name}${end}`), target: target ?? 'read-write' };
}

/** Host and port of a connection string to one server, and nothing else of it. */
export function serverName(url: string): string {
  const [, , hosts = ''] = CONNECTION.exec(url) ?? [];
  return hosts === '' ? 'the local host' : hosts;
}

/** The same with the port that is meant where none is named. */
export function serverAddress(url: string): string {
  const name = serverName(url);
  return SERVER.exec(name)?.[2] === undefined ? `${name}:${DEFAULT_PORT}` : name;
}

function isServer(name: string): boolean {
  const [, host, port = '0'] = SERVER.exec(name) ?? [];
  return host !== undefined && Number(port) <= PORT_MAX;
}
