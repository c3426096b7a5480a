import { restError } from '../errors.ts'

const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

/** Splits CSV (RFC 4180) into records of fields. */
function splitCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    field.lastIndex = at
    const match = field.exec(text)
    if (match === null) throw restError('PGRST102', { message: 'parse error (Failed reading: satisfy)' })
    record.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'))
    at = field.lastIndex
    if (match[3] !== ',') {
      records.push(record)
      record = []
    } else if (at === text.length) record.push('')
  }
  if (record.length > 0) records.push(record)
  return records.filter((fields) => fields.length > 1 || fields[0] !== '')
}

/**
 * Reads CSV whose first line names the columns, as JSON text and its keys. `NULL` is null, an empty field is ''.
 *
 * @throws PGRST102 where lines differ in length, or nothing is there
 */
export function parseCsv(text: string): { readonly json: string; readonly keys: readonly string[] } {
  const [header, ...records] = splitCsv(text)
  if (header === undefined) throw restError('PGRST102', { message: 'not enough input' })
  const rows = records.map((record) => {
    if (record.length !== header.length) {
      throw restError('PGRST102', { message: 'All lines must have same number of fields' })
    }
    return Object.fromEntries(header.map((name, index) => [name, record[index] === 'NULL' ? null : record[index]]))
  })
  return { json: JSON.stringify(rows), keys: rows.length === 0 ? [] : [...new Set(header)] }
}
