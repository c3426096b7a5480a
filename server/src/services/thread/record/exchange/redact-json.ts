const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+|\s+/gs

/** How what JSON holds is replaced. */
export interface JsonRedaction {
  /** Whether the value of a member of this name is replaced, whatever it is. */
  readonly isSecret: (name: string) => boolean
  /** What stands in its place. */
  readonly instead: string
  /** Another text in the place of a text value. */
  readonly text?: (value: string) => string
}

/**
 * Replaces values in a text of JSON by the names of their members; all else stays byte for byte as it came, so that numbers
 * keep the digits that JavaScript has none for.
 *
 * @param json valid JSON (RFC 8259)
 */
export function redactJson(json: string, { isSecret, instead, text = (value) => value }: JsonRedaction): string {
  const kept: string[] = []
  const open: string[] = []
  let namesMember = false
  let hides = false
  /** How deep within a value that is being replaced; null outside of one. */
  let hiddenDepth: number | null = null
  for (const [token] of json.matchAll(tokens)) {
    if (hiddenDepth !== null) {
      if (/^\s/.test(token)) continue
      if (token === '{' || token === '[') hiddenDepth += 1
      else if (token === '}' || token === ']') hiddenDepth -= 1
      if (hiddenDepth === 0) hiddenDepth = null
      continue
    }
    if (token === ':' && hides) {
      kept.push(':', JSON.stringify(instead))
      hiddenDepth = 0
      hides = false
      continue
    }
    const isText = token.startsWith('"')
    if (isText && namesMember) hides = isSecret(String(JSON.parse(token)))
    kept.push(isText && !namesMember ? replaced(token, text) : token)
    if (token === '{' || token === '[') open.push(token)
    else if (token === '}' || token === ']') open.pop()
    if (/^[^\s]/.test(token)) namesMember = token === '{' || (token === ',' && open.at(-1) === '{')
  }
  return kept.join('')
}

function replaced(token: string, text: (value: string) => string): string {
  const value = String(JSON.parse(token))
  const other = text(value)
  return other === value ? token : JSON.stringify(other)
}
