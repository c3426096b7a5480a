/**
 * Finds the text of each event's `properties` in a body, so that it is kept as it was sent and not written anew. Only
 * for texts that `JSON.parse` has taken: nothing is checked here, things are only found, in one pass.
 *
 * Whatever is unusual is left to the caller, who has the parsed values: line breaks between the tokens (a line of the
 * spool is one row), escaped surrogates (a half of a pair breaks ClickHouse's parser), nesting that its parser may
 * refuse, escapes in names.
 *
 * @param text  an array of events, an envelope with `batch` or `data`, or one event
 * @param count how many events were read from it
 * @returns     one entry an event, null where the properties cannot be kept as they stand
 */
export function findProperties(text: string, count: number): readonly (string | null)[] {
  const found = propertiesOfBody(text)
  return found?.length === count ? found : new Array<null>(count).fill(null)
}

/** Where something ends in the text; -1 when it is unusual. */
type End = number
type Found = (string | null)[]

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const space = 0x20
/** ClickHouse reads JSON down to 1,000. */
const deepest = 200

function propertiesOfBody(text: string): Found | null {
  const start = skipSpaces(text, 0)
  const events: Found = []
  if (text.charCodeAt(start) === openBracket) return eachEvent(text, start, events) === -1 ? null : events
  // As the envelope is read: `batch` when it is a list or an event, else `data` when it is a list, else itself.
  let batch: Found | null = null
  let data: Found | null = null
  let own: string | null = null
  const end = eachMember(text, start, (name, value) => {
    const opening = text.charCodeAt(value)
    if (name === '"batch"') {
      batch = opening === openBracket || opening === openBrace ? [] : null
      if (batch !== null) return opening === openBracket ? eachEvent(text, value, batch) : findEvent(text, value, batch)
    } else if (name === '"data"') {
      data = opening === openBracket ? [] : null
      if (data !== null) return eachEvent(text, value, data)
    } else if (name === '"properties"') {
      const valueEnd = skipValue(text, value)
      own = objectBetween(text, value, valueEnd)
      return valueEnd
    }
    return skipValue(text, value)
  })
  return end === -1 ? null : (batch ?? data ?? [own])
}

function eachEvent(text: string, list: number, found: Found): End {
  let at = skipSpaces(text, list + 1)
  while (at !== -1 && at < text.length && text.charCodeAt(at) !== closeBracket) {
    at = skipComma(text, findEvent(text, at, found))
  }
  return at === -1 ? -1 : at + 1
}

function findEvent(text: string, start: number, found: Found): End {
  let properties: string | null = null
  let end: End
  if (text.charCodeAt(start) !== openBrace) {
    end = skipValue(text, start)
  } else {
    end = eachMember(text, start, (name, value) => {
      const valueEnd = skipValue(text, value)
      if (name === '"properties"') properties = objectBetween(text, value, valueEnd)
      return valueEnd
    })
  }
  found.push(properties)
  return end
}

/** The text of an object; null for what is none, or must be written anew. */
function objectBetween(text: string, start: number, end: End): string | null {
  if (end === -1 || text.charCodeAt(start) !== openBrace) return null
  const object = text.slice(start, end)
  return object.includes('\\ud') || object.includes('\\uD') ? null : object
}

/**
 * Visits an object's members. Of several with one name the last counts, as for `JSON.parse`.
 *
 * @param visit takes the name with its quotes and where the value begins, returns where it ends
 */
function eachMember(text: string, object: number, visit: (name: string, value: number) => End): End {
  let at = skipSpaces(text, object + 1)
  while (text.charCodeAt(at) === quote) {
    const nameEnd = skipString(text, at)
    const name = text.slice(at, nameEnd)
    // An escaped name may be one of those looked for.
    if (name.includes('\\')) return -1
    const colon = skipSpaces(text, nameEnd)
    const value = colon === -1 ? -1 : skipSpaces(text, colon + 1)
    if (value === -1) return -1
    at = skipComma(text, visit(name, value))
  }
  return at === -1 ? -1 : at + 1
}

function skipComma(text: string, start: End): End {
  const at = skipSpaces(text, start)
  return text.charCodeAt(at) === comma ? skipSpaces(text, at + 1) : at
}

function skipSpaces(text: string, start: End): End {
  let at = start
  while (text.charCodeAt(at) === space) at += 1
  return text.charCodeAt(at) < space ? -1 : at
}

function skipValue(text: string, start: number): End {
  const first = text.charCodeAt(start)
  if (first === quote) return skipString(text, start)
  if (first === openBrace || first === openBracket) return skipNested(text, start)
  let at = start
  while (at < text.length && !isEndOfPlain(text.charCodeAt(at))) at += 1
  return at === start ? -1 : at
}

const isEndOfPlain = (code: number): boolean =>
  code === comma || code === closeBrace || code === closeBracket || code <= space

function skipNested(text: string, start: number): End {
  let depth = 0
  let at = start
  while (at !== -1 && at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = skipString(text, at)
      continue
    }
    at += 1
    if (code === openBrace || code === openBracket) {
      depth += 1
      if (depth > deepest) return -1
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1
      if (depth === 0) return at
    } else if (code < space) {
      return -1
    }
  }
  return -1
}

/** The closing quote is searched by the engine itself: twice as fast as looking at each character here (measured). */
function skipString(text: string, start: number): End {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? -1 : end + 1
}

function isEscaped(text: string, quoteAt: number): boolean {
  let first = quoteAt
  while (text.charCodeAt(first - 1) === backslash) first -= 1
  return (quoteAt - first) % 2 === 1
}
