/** Rows as the engines write them; `columns` is null of a statement that answers none. */
interface Exported {
  readonly columns: readonly { readonly name: string }[] | null
  readonly rows: readonly (readonly (string | null)[])[]
}

/** RFC 4180: a null is nothing, an empty text is `""`; what a spreadsheet would take for a formula stays a text. */
export function renderCsv({ columns, rows }: Exported): string {
  const names = (columns ?? []).map(({ name }) => csvValue(name))
  return [names, ...rows.map((row) => row.map(csvValue))].map((line) => `${line.join(',')}\r\n`).join('')
}

function csvValue(value: string | null): string {
  if (value === null) return ''
  const safe = /^[=@\t\r]|^[+-](?!\d)/.test(value) ? `'${value}` : value
  return safe === '' || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** An object a row; a name that comes twice has its number. */
export function renderJson({ columns, rows }: Exported): string {
  const names = uniqueNames((columns ?? []).map(({ name }) => name))
  const objects = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])))
  return `${JSON.stringify(objects, null, 2)}\n`
}

function uniqueNames(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name}_${count}`
  })
}
