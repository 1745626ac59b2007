import { hostOf, pathOf, requestTarget } from '../request-target.js';
import { RouteTable } from './route-table.js';

describe('the methods of an address', () => {
  const routes = new RouteTable();
  routes.add('/v1/calls/:call_id', ['GET', 'HEAD']);
  routes.add('/v1/calls/latest', ['DELETE']);
  routes.add('/v1/quotes', ['post']);

  it.each([
    ['/v1/calls/x', ['GET', 'HEAD', 'OPTIONS']],
    ['/v1/calls/latest', ['DELETE', 'GET', 'HEAD', 'OPTIONS']],
    ['/v1/quotes', ['OPTIONS', 'POST']],
    ['/v1/quotes/', []],
    ['/v1/calls/', []],
    ['/v1/calls/x/y', []],
    ['/v1', []],
    ['', []],
  ])('%s are %j', (path, methods) => {
    expect(routes.methodsOf(path)).toEqual(methods);
  });
});

describe('a request target', () => {
  it.each([
    ['/a/../b?c', '/a/../b?c', '/a/../b'],
    ['http://host/a?b', '/a?b', '/a'],
    ['HTTPS://host:1/a', '/a', '/a'],
    ['http://host', '/', '/'],
    ['http://host?x', '/?x', '/'],
    ['*', '*', '*'],
    ['//a', '//a', '//a'],
    ['ftp://host/a', 'ftp://host/a', 'ftp://host/a'],
    ['/a?', '/a?', '/a'],
  ])('%s is %s', (url, target, path) => {
    expect(requestTarget(url)).toBe(target);
    expect(pathOf(target)).toBe(path);
  });

  it.each([
    ['http://host/a', 'host'],
    ['HTTPS://HOST:443/a', 'host'],
    ['http://user@host:1', 'host:1'],
    ['http://[x', '[x'],
    ['http:///a', ''],
    ['/a', null],
    ['ftp://host/a', null],
  ])('%s is at the host %j', (url, host) => {
    expect(hostOf(url)).toBe(host);
  });
});
