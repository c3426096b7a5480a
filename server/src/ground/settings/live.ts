/** An object whose listed values are asked for whenever they are read; all others are those of `values`. Frozen. */
export function withLive<Values extends object>(
  values: Values,
  names: readonly string[],
  read: (name: string) => unknown,
): Values {
  const live = names.map((name) => [name, { enumerable: true, get: () => read(name) }] as const)
  const all = { ...Object.getOwnPropertyDescriptors(values), ...Object.fromEntries(live) }
  // The names are those of `values`, each with a value of its own kind.
  return Object.freeze(Object.defineProperties({}, all)) as Values
}

/** Values of which some are others. Secrets go on to be those of now, which a spread (`{ ...values }`) would not keep. */
export function withValues<Values extends object, Changes extends object>(
  values: Values,
  changes: Changes,
): Omit<Values, keyof Changes> & Changes {
  const all = { ...Object.getOwnPropertyDescriptors(values), ...Object.getOwnPropertyDescriptors(changes) }
  // What has the properties of both has the type of both.
  return Object.freeze(Object.defineProperties({}, all)) as Omit<Values, keyof Changes> & Changes
}

/** What `make` makes of a value, made anew when the value is another one. */
export function madeOf<Value, Made>(read: () => Value, make: (value: Value) => Made): () => Made {
  let last: { readonly value: Value; readonly made: Made } | null = null
  return () => {
    const value = read()
    if (last === null || !Object.is(last.value, value)) last = { value, made: make(value) }
    return last.made
  }
}
