import { storageError } from '../errors.ts'

const units: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 }

/**
 * The bytes of a bucket's `file_size_limit`: a number, or a text such as `20MB` in decimal units (storage §3); null for none.
 *
 * @throws InvalidParameter for another text
 */
export function parseSizeLimit(value: number | string | null): number | null {
  if (value === null || typeof value === 'number') return value
  const [, number = '', unit = 'b'] = /^(\d+(?:\.\d+)?)(b|kb|mb|gb)?$/i.exec(value.trim()) ?? []
  const bytes = Number(Number.parseFloat(number).toPrecision(3)) * (units[unit.toLowerCase()] ?? Number.NaN)
  if (!Number.isFinite(bytes)) throw storageError('InvalidParameter', { message: 'Invalid Parameter file_size_limit' })
  return Math.floor(bytes)
}
