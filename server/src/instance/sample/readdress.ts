import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/** Where a sample was recorded, and where the instance that loads it is reached: origins. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** A part of a recorded page is smaller; of a larger one the addresses stay. */
const largestPartBytes = 8 * 1024 * 1024

/**
 * Puts the loading instance's address in the place of the recorded one within a row of JSON: in its texts, in JSON inside
 * them, and in the parts of recorded pages that posthog-js has packed. What a page shows is then asked of this instance.
 */
export async function readdress(row: string, move: Move): Promise<string> {
  if (move.from === move.to) return row
  const renamed = row.includes(packedMark) ? JSON.stringify(await repack(JSON.parse(row), move)) : row
  return rename(renamed, move)
}

/** The first byte of gzip, as JSON writes it. */
const packedMark = '\\u001f'
const isPacked = (text: string): boolean => text.startsWith('\u001f\u008b')

async function repack(value: unknown, move: Move): Promise<unknown> {
  if (typeof value === 'string') return repackText(value, move)
  if (Array.isArray(value)) return Promise.all(value.map((item) => repack(item, move)))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([key, item]) => [key, await repack(item, move)] as const)),
  )
}

async function repackText(text: string, move: Move): Promise<string> {
  if (isPacked(text)) {
    const bytes = await promisify(gunzip)(Buffer.from(text, 'latin1'), { maxOutputLength: largestPartBytes }).catch(
      () => null,
    )
    const renamed = bytes && rename(bytes.toString(), move)
    // What names no address stays to the byte.
    if (renamed === null || renamed === bytes?.toString()) return text
    return (await promisify(gzip)(renamed)).toString('latin1')
  }
  const inner = text.includes(packedMark) ? parseNested(text) : undefined
  return inner === undefined ? text : JSON.stringify(await repack(inner, move))
}

/** A list or an object within a text; undefined for any other text. */
function parseNested(text: string): unknown {
  if (!text.startsWith('[') && !text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A slash that is escaped, as in JSON within JSON, stays escaped. */
function rename(text: string, { from, to }: Move): string {
  const [recorded, here] = [new URL(from), new URL(to)]
  const host = recorded.host.replaceAll('.', '\\.')
  return text
    .replaceAll(new RegExp(`${recorded.protocol}((?:\\\\*/){2})${host}(?!\\d)`, 'g'), `${here.protocol}$1${here.host}`)
    .replaceAll(new RegExp(`(?<![\\w.])${host}(?!\\d)`, 'g'), here.host)
}
