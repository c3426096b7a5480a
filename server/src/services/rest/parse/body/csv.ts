import { restError } from '../../errors.ts'

interface Field {
  readonly value: string
  /** Behind it. */
  readonly end: number
}

const refuse = (): Error => restError('PGRST102', { message: 'parse error (Failed reading: satisfy)' })

/** A quoted field, looked through by quotes: a pattern's stack would end within a large one. */
function quotedField(text: string, start: number): Field {
  const pieces: string[] = []
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) throw refuse()
    const isDoubled = text[quote + 1] === '"'
    pieces.push(text.slice(from, isDoubled ? quote + 1 : quote))
    if (!isDoubled) return { value: pieces.join(''), end: quote + 1 }
    from = quote + 2
  }
}

const plain = /[^",\r\n]*/y

function plainField(text: string, start: number): Field {
  plain.lastIndex = start
  const value = plain.exec(text)?.[0] ?? ''
  return { value, end: start + value.length }
}

const separator = /,|\r\n|\n|\r|$/y

/** Splits CSV (RFC 4180) into records of fields. */
function splitCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    const { value, end } = text[at] === '"' ? quotedField(text, at) : plainField(text, at)
    separator.lastIndex = end
    const after = separator.exec(text)?.[0]
    if (after === undefined) throw refuse()
    record.push(value)
    at = end + after.length
    if (after !== ',') {
      records.push(record)
      record = []
    } else if (at === text.length) record.push('')
  }
  if (record.length > 0) records.push(record)
  return records.filter((fields) => fields.length > 1 || fields[0] !== '')
}

/** How much longer rows may be as JSON, which names each field: the longest names there can be, in empty fields. */
const longestExpansion = 64

function refuseCostly(text: string, header: readonly string[], records: number): void {
  const names = header.reduce((sum, name) => sum + name.length + 6, 0)
  if (names * records > longestExpansion * text.length)
    throw restError('CLEW_REST_BODY_TOO_LARGE', {
      details: 'The names of the first line are too long for so many rows.',
    })
}

/**
 * Reads CSV whose first line names the columns, as JSON text and its keys. `NULL` is null, an empty field is ''.
 *
 * @throws CLEW_REST_BODY_TOO_LARGE, PGRST102 where lines differ in length, or nothing is there
 */
export function parseCsv(text: string): { readonly json: string; readonly keys: readonly string[] } {
  const [header, ...records] = splitCsv(text)
  if (header === undefined) throw restError('PGRST102', { message: 'not enough input' })
  refuseCostly(text, header, records.length)
  const rows = records.map((record) => {
    if (record.length !== header.length) {
      throw restError('PGRST102', { message: 'All lines must have same number of fields' })
    }
    return Object.fromEntries(header.map((name, index) => [name, record[index] === 'NULL' ? null : record[index]]))
  })
  return { json: JSON.stringify(rows), keys: rows.length === 0 ? [] : [...new Set(header)] }
}
