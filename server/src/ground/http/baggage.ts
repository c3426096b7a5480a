/** What a call's baggage says of the browser that it is for. */
export interface BaggageTie {
  readonly sessionId: string | null
  readonly distinctId: string | null
}

/** Longer baggage need not be passed on by anyone (W3C Baggage §3.3.2). */
const maxHeaderLength = 8192
const sessionKeys = ['session.id', 'clew.session_id']
const visitorKeys = ['clew.distinct_id']

/**
 * Reads who a call is for from the header `baggage`: `session.id` or `clew.session_id`, and `clew.distinct_id`. Of members of
 * one name the first counts; properties of a member are passed over.
 *
 * @see W3C Baggage §3.2
 */
export function readBaggage(header: string | string[] | undefined): BaggageTie {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  if (text === '' || text.length > maxHeaderLength) return { sessionId: null, distinctId: null }
  const members = text.split(',').map(memberOf)
  const first = (names: readonly string[]): string | null =>
    members.find(([name, value]) => names.includes(name) && value !== '')?.[1] ?? null
  return { sessionId: first(sessionKeys), distinctId: first(visitorKeys) }
}

function memberOf(text: string): readonly [name: string, value: string] {
  const [pair = ''] = text.split(';', 1)
  const equals = pair.indexOf('=')
  return equals === -1 ? ['', ''] : [pair.slice(0, equals).trim(), decoded(pair.slice(equals + 1).trim())]
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
