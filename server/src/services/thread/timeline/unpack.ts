import { gunzipSync } from 'node:zlib'
import { measureJson } from '../../../ground/http/json-size.ts'

/** Elements stand at most 512 deep in one another in a browser's page, each an object and a list; twenty thousand are many. */
const pageLimits = { depth: 1100, values: 200_000 }
/** A larger page is not read. */
export const largestPageBytes = 8 * 1024 * 1024

/** posthog-js' `cv: "2024-10"`: gzip bytes as the characters U+0000 to U+00FF. Null for what is none, or unpacks to more. */
export function unzip(packed: string, maxOutputLength: number): Buffer | null {
  try {
    return gunzipSync(Buffer.from(packed, 'latin1'), { maxOutputLength })
  } catch {
    return null
  }
}

/** A page, or changes of one; null for what is no JSON, or more than a page holds. */
export function parsePage(json: Buffer): unknown {
  const text = json.toString('utf8')
  if (measureJson(text, pageLimits) !== 'within') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A field of an event that may be packed; null for one that cannot be read. */
export function unpackJson(field: unknown): unknown {
  if (typeof field !== 'string') return field
  const json = unzip(field, largestPageBytes)
  return json === null ? null : parsePage(json)
}
