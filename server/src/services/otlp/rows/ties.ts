import { readBaggage } from '../../../ground/http/baggage.ts'

/** Headers of HTTP as instrumentations capture them: an older convention has underscores. */
const header = (name: string): readonly string[] =>
  [name, name.replaceAll('-', '_')].map((each) => `http.request.header.${each}`)

/** Attributes that name the recorded session: the convention's own, ours, and the header of posthog-js (otlp §4). */
const sessionAttributes = ['session.id', 'clew.session_id', ...header('x-posthog-session-id')]
const visitorAttributes = ['clew.distinct_id', ...header('x-posthog-distinct-id')]
const baggageAttribute = 'http.request.header.baggage'

/** Attributes that tie a span or a log record to a visitor. */
export const tyingAttributes: readonly string[] = [...sessionAttributes, ...visitorAttributes, baggageAttribute]

const longestId = 200

/** Whose work attributes say that it was; texts are empty where they do not. */
export interface NamedTie {
  readonly sessionId: string
  readonly distinctId: string
}

/**
 * Reads whose work it was from attributes, or from baggage that an instrumentation captured.
 *
 * @param attributeOf an attribute's value; a header's is a list
 */
export function namedTie(attributeOf: (name: string) => unknown): NamedTie {
  const first = (names: readonly string[]): string => {
    for (const name of names) {
      const text = textOf(attributeOf(name))
      if (text !== '' && text.length <= longestId) return text
    }
    return ''
  }
  const tie = { sessionId: first(sessionAttributes), distinctId: first(visitorAttributes) }
  const baggage = textOf(attributeOf(baggageAttribute))
  if (baggage === '') return tie
  const { sessionId, distinctId } = readBaggage(baggage)
  return {
    sessionId: tie.sessionId || bounded(sessionId),
    distinctId: tie.distinctId || bounded(distinctId),
  }
}

const bounded = (id: string | null): string => (id === null || id.length > longestId ? '' : id)

function textOf(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : ''
}
