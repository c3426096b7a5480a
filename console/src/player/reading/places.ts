import type { HeldMessage } from '../decode.ts'
import type { Outline, Part } from './outline.ts'

/** Finds in an outline the parts that messages belong to. */
export interface Places {
  readonly partOf: (tail: string, message: HeldMessage) => Part | undefined
  /** The outline with a part for each message that came since it was made; itself where there is none. */
  readonly grown: (outline: Outline, messages: ReadonlyMap<string, HeldMessage>) => Outline
}

/** A message's own part is known by its tail; one of several by the time at which the message began. */
export function createPlaces({ begunMs, parts }: Outline): Places {
  const single = new Map(parts.filter(({ tail }) => tail !== '').map((part) => [part.tail, part]))
  const several = new Map<string, Part[]>()
  for (const part of parts) {
    if (part.tail !== '') continue
    const own = several.get(part.windowId)
    if (own === undefined) several.set(part.windowId, [part])
    else own.push(part)
  }
  const found = new WeakMap<HeldMessage, Part | undefined>()
  const partOf: Places['partOf'] = (tail, message) => {
    const own = single.get(tail)
    if (own !== undefined || found.has(message)) return own ?? found.get(message)
    const atMs = message.fromMs - begunMs
    const part = several
      .get(message.windowId)
      ?.findLast(({ fromMs, lastFromMs }) => fromMs <= atMs && atMs <= lastFromMs)
    found.set(message, part)
    return part
  }
  return {
    partOf,
    grown(outline, messages) {
      const added = [...messages]
        // Of a message that could not be read no time is known.
        .filter(([tail, message]) => Number.isFinite(message.fromMs) && partOf(tail, message) === undefined)
        .map(([tail, message]) => partOfMessage(tail, message, begunMs))
      if (added.length === 0) return outline
      for (const part of added) single.set(part.tail, part)
      return { ...outline, parts: [...outline.parts, ...added].sort((one, other) => one.fromMs - other.fromMs) }
    },
  }
}

const partOfMessage = (tail: string, message: HeldMessage, begunMs: number): Part => {
  const { windowId, fromMs, toMs, active, hasPage, length } = message
  return {
    ...{ windowId, tail, messages: 1, hasPage, bytes: length },
    ...{ fromMs: fromMs - begunMs, lastFromMs: fromMs - begunMs, toMs: toMs - begunMs },
    active: active && { fromMs: active.fromMs - begunMs, toMs: active.toMs - begunMs },
  }
}
