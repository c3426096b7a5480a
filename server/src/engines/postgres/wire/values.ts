/**
 * A parameter's value as PostgreSQL's text form (bytes as they are): instants in UTC, arrays as array literals,
 * other objects as JSON.
 */
export function wireValue(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return arrayLiteral(value)
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(element).join(',')}}`
}

function element(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (Array.isArray(value)) return arrayLiteral(value)
  const text = wireValue(value)
  const plain = Buffer.isBuffer(text) ? `\\x${text.toString('hex')}` : String(text)
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
