/**
 * The statement as a developer would write it: without the frame in which the data API asks for the rows, the count and
 * the answer's JSON, and without the JSON in which it passes a body. What is not of the data API stays as it is.
 *
 * @param text SQL as it ran
 */
export function plainSql(text: string): string {
  return withoutPayload(unframed(text.trim()))
}

const frame = /^with pgrst_source as \(/i

/** What stands in the parentheses of the frame. */
function unframed(text: string): string {
  const opened = frame.exec(text)
  if (!opened) return text
  const from = opened[0].length
  const end = closingOf(text, from)
  return end === -1 ? text : text.slice(from, end).trim()
}

/** Where the parenthesis closes that was opened before `from`; -1 when it does not, as in SQL that was cut. */
function closingOf(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === "'" || sign === '"') {
      at = text.indexOf(sign, at + 1)
      // A doubled quote opens the next string at once.
      if (at === -1) return -1
    } else if (sign === '(') depth += 1
    else if (sign === ')') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}

const payload = /\s*from \(select (\$\d+)::jsonb? as json_data\) pgrst_payload, /i

/** `select "pgrst_body"."a" from (select $1::json …) "pgrst_body"` is what `values (:a)` says, `$1` holding the values. */
function withoutPayload(text: string): string {
  const opened = payload.exec(text)
  if (!opened) return text
  const [clause, parameter = ''] = opened
  let at = opened.index + clause.length
  for (let from = text.indexOf('lateral (', at); from === at; from = text.indexOf('lateral (', at)) {
    const end = closingOf(text, from + 'lateral ('.length)
    if (end === -1) return text
    at = end + 1
    const alias = /^ (?:"pgrst_body"|pgrst_json_defs)(?:, )?/.exec(text.slice(at))
    at += alias?.[0].length ?? 0
  }
  const head = text.slice(0, opened.index).replaceAll(/"pgrst_body"\.("(?:[^"]|"")*")/g, (_whole, name: string) => {
    const plain = name.slice(1, -1)
    return `${parameter}.${/^[a-z_][a-z0-9_]*$/.test(plain) ? plain : name}`
  })
  const inserted = head.replace(/ select ((?:\$\d+\.[^,]+(?:, )?)+)$/i, ' values ($1)')
  const rest = text
    .slice(at)
    .replace(/^ where set_config\('pgrst\.inserted'[\s\S]*?<> '0'( and )?/i, (_whole, more?: string) =>
      more ? ' where ' : '',
    )
    .replace(/ returning 1$/i, '')
  return `${inserted}${rest}`
}

/** The tables that a statement itself inserts into, updates or deletes from, as `schema.table`. */
export function writtenTables(text: string): ReadonlySet<string> {
  const found = [
    ...text.matchAll(/\b(?:insert into|update|delete from|merge into) (?:only )?("?[\w]+"?)\.("?[\w]+"?)/gi),
  ]
  return new Set(found.map(([, schema = '', table = '']) => `${schema}.${table}`.replaceAll('"', '')))
}
