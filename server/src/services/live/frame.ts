import { isObject } from '../../ground/json/object.ts'
import { type LiveTopic, parseLiveTopic } from '../../ground/model/live.ts'
import type { LiveErrorCode } from './errors.ts'

/** What a tab says: all that it watches from now on; or why it is not understood. */
export type ReadFrame =
  | { readonly kind: 'watch'; readonly topics: ReadonlySet<LiveTopic> }
  | { readonly kind: 'refused'; readonly code: LiveErrorCode }

/** Reads a message of a tab, `{"watch": ["sessions", …]}`. */
export function readFrame(text: string, topicsPerConnection: number): ReadFrame {
  const topics = watchOf(text)
  if (topics === null) return { kind: 'refused', code: 'CLEW_LIVE_BAD_FRAME' }
  if (topics.length > topicsPerConnection) return { kind: 'refused', code: 'CLEW_LIVE_TOO_MANY_TOPICS' }
  const read = topics.map((topic) => (typeof topic === 'string' ? parseLiveTopic(topic) : null))
  if (read.includes(null)) return { kind: 'refused', code: 'CLEW_LIVE_UNKNOWN_TOPIC' }
  return { kind: 'watch', topics: new Set(read.filter((topic) => topic !== null)) }
}

function watchOf(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && Array.isArray(value.watch) ? value.watch : null
  } catch {
    return null
  }
}
