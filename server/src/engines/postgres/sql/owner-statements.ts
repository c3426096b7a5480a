import pg from 'pg'
import { splitStatements } from '../../../ground/sql/split.ts'
import type { Sql } from '../postgres.ts'

const quoteLiteral = pg.escapeLiteral

/** A piece of a statement: a word or name as it counts, a text, or a sign. */
interface Token {
  readonly kind: 'name' | 'text' | 'sign'
  readonly value: string
  /** Where it ends in the statement. */
  readonly end: number
}

/** Only these statements are read; a script without any of the words is passed on as it is. */
const worthReading = /\b(event\s+trigger|publication|alter\s+database)\b/i

const piece =
  /\s+|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/|(?<quoted>"(?:[^"]|"")*")|(?<text>'(?:[^']|'')*')|(?<word>[a-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(?<number>\d[\w.]*)|(?<sign>[(),.=;])/iy

/** The pieces of a statement; null where it has others, which none of the statements below has. */
function tokensOf(statement: string): readonly Token[] | null {
  const tokens: Token[] = []
  piece.lastIndex = 0
  while (piece.lastIndex < statement.length) {
    const found = piece.exec(statement)
    if (found === null) return null
    const { quoted, text, word, number, sign } = found.groups ?? {}
    const end = piece.lastIndex
    if (quoted !== undefined) tokens.push({ kind: 'name', value: quoted.slice(1, -1).replaceAll('""', '"'), end })
    if (text !== undefined) tokens.push({ kind: 'text', value: text.slice(1, -1).replaceAll("''", "'"), end })
    if (number !== undefined) tokens.push({ kind: 'text', value: number, end })
    if (word !== undefined) tokens.push({ kind: 'name', value: word.toLowerCase(), end })
    if (sign !== undefined && sign !== ';') tokens.push({ kind: 'sign', value: sign, end })
  }
  return tokens
}

/** Reads a statement's tokens in their order. */
class Reader {
  private at = 0
  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  /** Whether these words come next; they are read when they do. */
  takes(...words: readonly string[]): boolean {
    const fits = words.every((word, index) => this.tokens[this.at + index]?.value === word)
    if (fits) this.at += words.length
    return fits
  }

  /** The next token's value where it is of a kind; null otherwise. */
  take(kind: Token['kind']): string | null {
    const token = this.tokens[this.at]
    if (token?.kind !== kind) return null
    this.at += 1
    return token.value
  }

  get isAtEnd(): boolean {
    return this.at === this.tokens.length
  }
}

const textArray = (values: readonly string[]): string => `array[${values.map(quoteLiteral).join(', ')}]::text[]`

/** `(…, …)` of texts. */
function textList(reader: Reader): readonly string[] | null {
  if (!reader.takes('(')) return null
  const values: string[] = []
  do {
    const value = reader.take('text')
    if (value === null) return null
    values.push(value)
  } while (reader.takes(','))
  return reader.takes(')') ? values : null
}

function createEventTrigger(reader: Reader): string | null {
  const name = reader.take('name')
  if (name === null || !reader.takes('on')) return null
  const event = reader.take('name')
  let tags: readonly string[] | null = null
  if (reader.takes('when', 'tag', 'in')) {
    tags = textList(reader)
    if (tags === null) return null
  }
  if (event === null || !reader.takes('execute') || !(reader.takes('function') || reader.takes('procedure')))
    return null
  const path: string[] = []
  do {
    const part = reader.take('name')
    if (part === null) return null
    path.push(`"${part.replaceAll('"', '""')}"`)
  } while (reader.takes('.'))
  if (!reader.takes('(', ')') || !reader.isAtEnd) return null
  const made = [quoteLiteral(name), quoteLiteral(event), tags === null ? 'null' : textArray(tags)]
  return `select clew_owner.create_event_trigger(${made.join(', ')}, ${quoteLiteral(`${path.join('.')}()`)}::regprocedure)`
}

function alterEventTrigger(reader: Reader): string | null {
  const name = reader.take('name')
  const words: string[] = []
  while (!reader.isAtEnd) words.push(reader.take('name') ?? '')
  const state = words.join(' ')
  if (name === null || !/^(enable( replica| always)?|disable)$/.test(state)) return null
  return `select clew_owner.alter_event_trigger(${quoteLiteral(name)}, ${quoteLiteral(state)})`
}

/** `drop … [if exists] name [cascade | restrict]`, by a function of that name. */
function drop(reader: Reader, by: string): string | null {
  const missingOk = reader.takes('if', 'exists')
  const name = reader.take('name')
  if (!reader.takes('cascade')) reader.takes('restrict')
  if (name === null || !reader.isAtEnd) return null
  return `select clew_owner.${by}(${quoteLiteral(name)}, ${missingOk})`
}

function createPublication(reader: Reader): string | null {
  const name = reader.take('name')
  if (name === null || !reader.takes('for', 'all', 'tables')) return null
  let publish = 'null'
  let viaRoot = 'null'
  if (reader.takes('with', '(')) {
    do {
      const option = reader.take('name')
      const value = reader.takes('=') ? (reader.take('text') ?? reader.take('name')) : 'true'
      if (value === null) return null
      if (option === 'publish') publish = quoteLiteral(value)
      else if (option === 'publish_via_partition_root') viaRoot = `${quoteLiteral(value)}::boolean`
      else return null
    } while (reader.takes(','))
    if (!reader.takes(')')) return null
  }
  return reader.isAtEnd ? `select clew_owner.create_publication(${quoteLiteral(name)}, ${publish}, ${viaRoot})` : null
}

/** Settings of the application's own, `app.…`: the server knows no such names, and keeps them to superusers. */
function setInDatabase(reader: Reader): string | null {
  const database = reader.take('name')
  if (database === null || !reader.takes('set')) return null
  const path: string[] = []
  do {
    const part = reader.take('name')
    if (part === null) return null
    path.push(part)
  } while (reader.takes('.'))
  const name = path.join('.')
  if (!name.startsWith('app.') || !(reader.takes('=') || reader.takes('to'))) return null
  const value = reader.take('text') ?? reader.take('name')
  if (value === null || !reader.isAtEnd) return null
  return `select clew_owner.set_in_database(${[database, name, value].map(quoteLiteral).join(', ')})`
}

function rewrite(statement: string): string | null {
  if (!worthReading.test(statement)) return null
  const tokens = tokensOf(statement)
  if (tokens === null) return null
  const reader = new Reader(tokens)
  if (reader.takes('create', 'event', 'trigger')) return createEventTrigger(reader)
  if (reader.takes('alter', 'event', 'trigger')) return alterEventTrigger(reader)
  if (reader.takes('drop', 'event', 'trigger')) return drop(reader, 'drop_event_trigger')
  if (reader.takes('create', 'publication')) return createPublication(reader)
  if (reader.takes('drop', 'publication')) return drop(reader, 'drop_publication')
  if (reader.takes('alter', 'database')) return setInDatabase(reader)
  return null
}

/**
 * A script of the application's owner, with the statements that PostgreSQL leaves to superusers, event triggers,
 * publications of all tables and settings of the application's in the database, in the form in which the owner may have them: as calls of functions that check what is asked
 * (`migrations/0013`). Everything else stays as it is written.
 */
export function forOwner(script: string): string {
  if (!worthReading.test(script)) return script
  const statements = splitStatements(script)
  const rewritten = statements.map((statement) => rewrite(statement) ?? statement)
  return rewritten.some((text, index) => text !== statements[index]) ? `${rewritten.join(';\n')};` : script
}

/** The owner's statements, with those scripts rewritten. */
export const asOwner = (sql: Sql): Sql => ({
  query: (statement, context) =>
    sql.query(statement.values.length === 0 ? { ...statement, text: forOwner(statement.text) } : statement, context),
  transaction: (body, context, opening) => sql.transaction((tx) => body(asOwner(tx)), context, opening),
})
