import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createOutbound, type OutboundOptions, parseReachable, type Reach } from '../../../engines/outbound/index.ts'
import { isOwnName } from '../hooks/target.ts'

/** Whether a place is an address rather than a file. */
export const isAddress = (place: string): boolean => /^https?:\/\//i.test(place)

/** A name that is not openly this machine's must lead to the public internet, by https (auth §35.33). */
const reachOf = (place: string): Reach => (isOwnName(new URL(place).hostname) ? 'anywhere' : 'public')

/** Whether a text may be read from a place: a file, or an address that may be called. */
export function isTextPlace(place: string): boolean {
  if (!isAddress(place)) return !place.includes('\0')
  try {
    parseReachable(place, { reach: reachOf(place) })
    return true
  } catch {
    return false
  }
}

/**
 * The reader of texts outside of the settings: a file, relative to `folder`, or an address, judged once more when it is
 * called.
 *
 * @throws Error when there is no such file, no good answer, or too long a one
 */
export function createTextReader(
  folder: string,
  { timeoutMs, maxBytes }: Pick<OutboundOptions, 'timeoutMs' | 'maxBytes'>,
): (place: string) => Promise<string> {
  return async (place) => {
    if (isAddress(place)) {
      const answer = await createOutbound({ reach: reachOf(place), timeoutMs, maxBytes })(place)
      if (answer.status !== 200) throw new Error(`${place} answered ${answer.status}.`)
      return answer.text()
    }
    const path = resolve(folder, place)
    if ((await stat(path)).size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes.`)
    return readFile(path, 'utf8')
  }
}
