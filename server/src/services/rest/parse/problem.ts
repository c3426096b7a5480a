import { restError } from '../errors.ts'
import { describe, type Parser, placeOf, type Reply } from './parser.ts'

/** PGRST100 for what nests too deeply. */
export const tooDeep = (details: string | null, cause?: unknown): Error =>
  restError('PGRST100', { message: 'The query string is nested too deeply', details, cause })

function parse<T>(parser: Parser<T>, text: string): Reply<T> {
  try {
    return parser(text, 0)
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
 * @param shown  what the message quotes when it is not `text` itself
 * @throws PGRST100 with what was unexpected and expected
 */
export function readWhole<T>(parser: Parser<T>, text: string, what: string, shown = text): T {
  const reply = parse(parser, text)
  if (reply.ok) return reply.value
  throw restError('PGRST100', {
    message: `"failed to parse ${what} (${shown})" ${placeOf(text, reply.problem.at)}`,
    details: describe(reply.problem, text),
  })
}
