import { storageError } from '../errors.ts'

const units: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 }

/**
 * The bytes of a bucket's `file_size_limit`: a number, or a text such as `20MB` in decimal units (storage §3); null for none.
 *
 * @throws InvalidRequest for another text
 */
export function parseSizeLimit(value: number | string | null): number | null {
  if (value === null || typeof value === 'number') return value
  const [, number = '', unit = 'b'] = /^(\d+(?:\.\d+)?)(b|kb|mb|gb)?$/i.exec(value.trim()) ?? []
  const bytes = Number(Number.parseFloat(number).toPrecision(3)) * (units[unit.toLowerCase()] ?? Number.NaN)
  if (!Number.isFinite(bytes))
    throw storageError('InvalidRequest', {
      message: 'The file size limit must be a number of bytes, or such as 20GB, 20MB, 30KB, 3B',
    })
  return Math.floor(bytes)
}
