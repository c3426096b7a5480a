import { LRUCache } from 'lru-cache'
import type { Log } from '../../../ground/model/log.ts'

/** The first and the last instant at which something was seen, in milliseconds since 1970. */
export interface Span {
  readonly firstMs: number
  readonly lastMs: number
}

/** Names with when they were seen. */
export type Spans = readonly (readonly [name: string, span: Span])[]

/** Adds an instant at which a name was seen. */
export function widen(seen: Map<string, Span>, name: string, { firstMs, lastMs }: Span): void {
  const known = seen.get(name)
  if (known === undefined || firstMs < known.firstMs || lastMs > known.lastMs)
    seen.set(name, {
      firstMs: Math.min(firstMs, known?.firstMs ?? firstMs),
      lastMs: Math.max(lastMs, known?.lastMs ?? lastMs),
    })
}

export interface NotesDeps {
  readonly write: (spans: Spans) => Promise<void>
  /** Whether what was seen before all that is noted is told, too. */
  readonly keepsFirst: boolean
  /** What follows the last that was noted by less changes no order. */
  readonly stepMs: number
  /** Names that are remembered. */
  readonly most: number
  readonly log: Log
}

/** Names of one statement. */
const atOnce = 2_000

/** Writes when names were seen, in steps. What cannot be written now is written with what is noted next. */
export function createNotes({ write, keepsFirst, stepMs, most, log }: NotesDeps) {
  const noted = new LRUCache<string, Span>({ max: most })
  let waiting = new Map<string, Span>()
  /** Whether it would be written. */
  const isNews = (name: string, { firstMs, lastMs }: Span): boolean => {
    const before = noted.get(name)
    return before === undefined || lastMs >= before.lastMs + stepMs || (keepsFirst && firstMs < before.firstMs)
  }
  return {
    isNews,
    async note(seen: ReadonlyMap<string, Span>): Promise<void> {
      for (const [name, span] of seen) if (isNews(name, span)) widen(waiting, name, span)
      const batch = [...waiting]
      waiting = new Map()
      try {
        while (batch.length > 0) {
          const some = batch.slice(0, atOnce)
          await write(some)
          for (const [name, span] of some) noted.set(name, span)
          batch.splice(0, some.length)
        }
      } catch (error) {
        for (const [name, span] of batch.slice(0, most)) widen(waiting, name, span)
        log.warn({ err: error }, 'events: who was last seen when could not be noted yet')
      }
    },
  }
}
