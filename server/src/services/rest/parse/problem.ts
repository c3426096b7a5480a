import { restError } from '../errors.ts'
import { describe, type Parser, placeOf } from './parser.ts'

/**
 * Reads `text` from its beginning; what the parser leaves over is ignored, as the reference does.
 *
 * @param what   the part of the query string, for the message
 * @param shown  what the message quotes when it is not `text` itself
 * @throws PGRST100 with what was unexpected and expected
 */
export function readWhole<T>(parser: Parser<T>, text: string, what: string, shown = text): T {
  const reply = parser(text, 0)
  if (reply.ok) return reply.value
  throw restError('PGRST100', {
    message: `"failed to parse ${what} (${shown})" ${placeOf(text, reply.problem.at)}`,
    details: describe(reply.problem, text),
  })
}
