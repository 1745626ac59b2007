/**
 * Opens something before the first test of a spec and closes it after the last. Hooks and tests use
 * it as if it were there already; before them it is not.
 */
export function forAllTests<Opened extends object>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => Promise<unknown>,
): Opened {
  const place = new Place<Opened>();
  beforeAll(async () => {
    place.opened = await open();
  });
  afterAll(async () => close(place.taken()));
  return place.content;
}

/** The same with one for each test, where what one leaves behind would reach the next. */
export function forEachTest<Opened extends object>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => Promise<unknown>,
): Opened {
  const place = new Place<Opened>();
  beforeEach(async () => {
    place.opened = await open();
  });
  afterEach(async () => close(place.taken()));
  return place.content;
}

class Place<Opened extends object> {
  opened: Opened | undefined;

  /** Hands everything on to what is opened when it is used. */
  readonly content = new Proxy({} as Opened, {
    get: (_none, name) => Reflect.get(this.taken(), name) as unknown,
    set: (_none, name, value) => Reflect.set(this.taken(), name, value),
    has: (_none, name) => Reflect.has(this.taken(), name),
  });

  taken(): Opened {
    if (this.opened === undefined) throw new Error('It is opened before the tests, not yet.');
    return this.opened;
  }
}
