import { databaseServers, serverAddress, serverName } from './database-servers.js';

const ONE = 'postgresql://u:p@host:5432/name?sslmode=require';

test('one server is taken as it is given, whatever it is', () => {
  expect(databaseServers(ONE)).toEqual({ urls: [ONE], target: 'any' });
  const socket = 'postgresql:///name?host=/run/postgresql';
  expect(databaseServers(socket)).toEqual({ urls: [socket], target: 'any' });
});

test('of several servers each has the user, the database and the parameters of all', () => {
  expect(databaseServers('postgres://u:p%40@a:1,[::1]:2,c/name?sslmode=require')).toEqual({
    urls: [
      'postgres://u:p%40@a:1/name?sslmode=require',
      'postgres://u:p%40@[::1]:2/name?sslmode=require',
      'postgres://u:p%40@c/name?sslmode=require',
    ],
    target: 'read-write',
  });
});

test.each([
  ['read-write', 'read-write'],
  ['primary', 'read-write'],
  ['any', 'any'],
])('target_session_attrs=%s means %s, and is not handed on', (attribute, target) => {
  const url = `postgresql://u@a,b/name?target_session_attrs=${attribute}&sslmode=prefer`;
  expect(databaseServers(url)).toEqual({
    urls: ['postgresql://u@a/name?sslmode=prefer', 'postgresql://u@b/name?sslmode=prefer'],
    target,
  });
});

test.each([
  ['mysql://u:hunter2@a/name', 'it is no postgresql:// URL'],
  ['postgresql://u:hunter2@a,,b/name', 'host 2 of 3 is no host:port'],
  ['postgresql://u:hunter2@a:1,b:70000/name', 'host 2 of 2 is no host:port'],
  ['postgresql://u:hunter2@a:1,b:x/name', 'host 2 of 2 is no host:port'],
  ['postgresql://u:hunter2@a,b c/name', 'host 2 of 2 is no host:port'],
  ['postgresql://u:hunter2@a/name?target_session_attrs=standby', 'read-write, primary or any'],
])('%s is refused, and its password is not repeated', (url, reason) => {
  expect(databaseServers(url)).toEqual(expect.stringContaining(reason));
  expect(databaseServers(url)).not.toContain('hunter2');
});

test('the name of a server is its host and port alone', () => {
  expect(serverName(ONE)).toBe('host:5432');
  expect(serverName('postgresql:///name')).toBe('the local host');
});

test.each([
  ['postgresql://u:hunter2@a:1/name', 'a:1'],
  ['postgresql://u:hunter2@a/name', 'a:5432'],
  ['postgresql://[::1]/name?sslmode=require', '[::1]:5432'],
])('the address of %s has a port: %s', (url, address) => {
  expect(serverAddress(url)).toBe(address);
});
