/** Which methods each address takes, learned from the routes as they are registered. */
export class RouteTable {
  readonly #routes: { readonly segments: readonly string[]; readonly methods: Set<string> }[] = [];

  /** `pattern`: a path whose variable segments begin with a colon, as `/v1/calls/:call_id`. */
  add(pattern: string, methods: readonly string[]): void {
    const segments = pattern.split('/');
    const known = this.#routes.find((route) => route.segments.join('/') === pattern);
    const route = known ?? { segments, methods: new Set<string>() };
    for (const method of methods) route.methods.add(method.toUpperCase());
    if (!known) this.#routes.push(route);
  }

  /** Methods of a path without its query, in a fixed order; empty for an unknown address. */
  methodsOf(path: string): string[] {
    const segments = path.split('/');
    const methods = new Set<string>();
    for (const route of this.#routes) {
      if (!matches(route.segments, segments)) continue;
      for (const method of route.methods) methods.add(method);
    }
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].toSorted();
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => {
    const segment = segments[index] ?? '';
    return part.startsWith(':') ? segment !== '' : part === segment;
  });
}
