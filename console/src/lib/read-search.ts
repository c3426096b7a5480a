/** The texts of these search parameters; what is empty or no text is left out. Numbers are texts that a link may hold. */
export function readText<const Name extends string>(
  search: Readonly<Record<string, unknown>>,
  ...names: readonly Name[]
): { readonly [Key in Name]?: string } {
  const found: { [Key in Name]?: string } = {}
  for (const name of names) {
    const value = search[name]
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') found[name] = String(value)
  }
  return found
}

/** The whole numbers of these search parameters, as ids of rows are; what is none is left out. */
export function readNumber<const Name extends string>(
  search: Readonly<Record<string, unknown>>,
  ...names: readonly Name[]
): { readonly [Key in Name]?: number } {
  const found: { [Key in Name]?: number } = {}
  for (const name of names) {
    const value = Number(search[name] ?? Number.NaN)
    if (Number.isSafeInteger(value)) found[name] = value
  }
  return found
}
