import { isObject } from '../../../ground/json/object.ts'
import { eventMark, type WorkerEvent } from '../runtime/messages.ts'

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
const isCountOrNull = (value: unknown): value is number | null => value === null || isCount(value)
const isLevel = (value: unknown): boolean => isText(value) && ['debug', 'info', 'warning', 'error'].includes(value)

/** The members that each event must have; others are dropped. */
const members: { readonly [Event in WorkerEvent['event']]: Readonly<Record<string, (value: unknown) => boolean>> } = {
  listening: {},
  loaded: { listens: (value) => typeof value === 'boolean' },
  log: { level: isLevel, text: isText, trace: isTextOrNull },
  exception: { text: isText, trace: isTextOrNull },
  pending: { count: isCount },
  fetch: { method: isText, url: isText, status: isCountOrNull, durationMs: isCount, trace: isTextOrNull },
}

/**
 * Reads a line of a worker's output as an event; null where it is output of the function. The function's code can write
 * such lines too, so an event tells of its own worker only, and is of the right form or none.
 */
export function readEvent(line: string): WorkerEvent | null {
  if (!line.startsWith(eventMark)) return null
  const value = parse(line.slice(eventMark.length))
  if (!isObject(value) || !isText(value.event) || !Object.hasOwn(members, value.event)) return null
  const wanted = Object.entries(members[value.event as WorkerEvent['event']])
  return wanted.every(([name, fits]) => fits(value[name])) ? (value as unknown as WorkerEvent) : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
