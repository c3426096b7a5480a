const names: readonly (readonly [RegExp, string])[] = [
  [/^timestamp(\(\d\))? with time zone/, 'timestamptz$1'],
  [/^timestamp(\(\d\))? without time zone/, 'timestamp$1'],
  [/^time(\(\d\))? with time zone/, 'timetz$1'],
  [/^time(\(\d\))? without time zone/, 'time$1'],
  [/^character varying/, 'varchar'],
]

/** A type by the shorter of its names, as people write it. */
export function shortType(type: string): string {
  const found = names.find(([pattern]) => pattern.test(type))
  return found === undefined ? type : type.replace(...found)
}
