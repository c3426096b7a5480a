import { restError } from '../../errors.ts'
import { describe, placeOf } from './parse-problem.ts'
import { type Parser, parseText } from './parser.ts'

/** PGRST100 for what nests too deeply. */
export const tooDeep = (details: string | null, cause?: unknown): Error =>
  restError('PGRST100', { message: 'The query string is nested too deeply', details, cause })

/** PGRST100 for what would hold up other requests while it is read and planned. */
const tooManyParts = (limit: number): Error =>
  restError('PGRST100', {
    message: 'The query string has too many parts',
    details: `Selected columns and embeds, conditions, order terms and names may be ${limit} together.`,
  })

/** Counts the parts of one query string. */
export interface PartCounter {
  /** @throws PGRST100 when there are more than the limit */
  add(parts: number): void
}

/** A counter of at most `limit` parts. */
export function createPartCounter(limit: number): PartCounter {
  let counted = 0
  return {
    add(parts) {
      counted += parts
      if (counted > limit) throw tooManyParts(limit)
    },
  }
}

const uncounted: PartCounter = { add: () => undefined }

function parse<T>(parser: Parser<T>, text: string, parts: PartCounter): ReturnType<typeof parseText<T>> {
  try {
    return parseText(parser, text, () => parts.add(1))
  } catch (error) {
    // A parser calls itself for every level, and the stack ends before the address does.
    if (error instanceof RangeError) throw tooDeep(null, error)
    throw error
  }
}

/**
 * Reads `text` from its beginning; what the parser leaves over is ignored, as the reference does.
 *
 * @param what   the part of the query string, for the message
 * @param parts  counts what the parser calls a part
 * @param shown  what the message quotes when it is not `text` itself
 * @throws PGRST100 with what was unexpected and expected, or for too many parts
 */
export function readWhole<T>(parser: Parser<T>, text: string, what: string, parts = uncounted, shown = text): T {
  const reply = parse(parser, text, parts)
  if (reply.ok) return reply.value
  throw restError('PGRST100', {
    message: `"failed to parse ${what} (${shown})" ${placeOf(text, reply.problem.at)}`,
    details: describe(reply.problem, text),
  })
}
