import { StreamPlaces } from './stream-places.js';

const session = (id: string, accountId = 'account') => ({ id, accountId });

test('a session has ten places, an account fifty', () => {
  const places = new StreamPlaces();
  for (let one = 0; one < 5; one++) {
    for (let n = 0; n < 10; n++)
      expect(places.take(session(`session-${one}`))).toBeInstanceOf(Function);
    expect(places.take(session(`session-${one}`))).toContain('A session has at most 10');
  }
  expect(places.take(session('session-6'))).toContain('An account has at most 50');
  expect(places.take(session('session-7', 'other'))).toBeInstanceOf(Function);
});

test('a place is given back once', () => {
  const places = new StreamPlaces();
  const taken = Array.from({ length: 10 }, () => places.take(session('session')));
  for (let n = 0; n < 2; n++) if (typeof taken[0] === 'function') taken[0]();
  expect(places.take(session('session'))).toBeInstanceOf(Function);
  expect(places.take(session('session'))).toContain('at most 10');
});
