/** A run of SQL of one kind, for colouring; `at` is where it starts. */
export interface SqlPiece {
  readonly at: number
  readonly kind: 'keyword' | 'string' | 'number' | 'parameter' | 'comment' | 'plain'
  readonly text: string
}

const keywords = new Set(
  `select from where and or not null is in insert into values update set delete returning with as on join left right
  inner outer full cross lateral group by order asc desc nulls first last limit offset having union all distinct case
  when then else end create alter drop table index view function trigger policy begin commit rollback true false exists
  between like ilike conflict do nothing using default cast array row over partition recursive for if grant revoke to`
    .split(/\s+/)
    .filter(Boolean),
)

// Comments and strings first, so that nothing inside them is taken for anything else.
const token =
  /(--[^\n]*|\/\*[\s\S]*?\*\/)|('(?:[^']|'')*')|("(?:[^"]|"")*")|(\$\d+)|(\b\d+(?:\.\d+)?\b)|([A-Za-z_][\w$]*)/g

/** Cuts SQL into coloured runs. Lossless: the texts joined are the input. */
export function readSql(sql: string): readonly SqlPiece[] {
  const pieces: SqlPiece[] = []
  const add = (at: number, kind: SqlPiece['kind'], text: string) => {
    if (text !== '') pieces.push({ at, kind, text })
  }
  let end = 0
  for (const match of sql.matchAll(token)) {
    const [text, comment, string, , parameter, number, word] = match
    const kind = comment
      ? 'comment'
      : string
        ? 'string'
        : parameter
          ? 'parameter'
          : number
            ? 'number'
            : word && keywords.has(word.toLowerCase())
              ? 'keyword'
              : 'plain'
    if (kind === 'plain') continue
    add(end, 'plain', sql.slice(end, match.index))
    add(match.index, kind, text)
    end = match.index + text.length
  }
  add(end, 'plain', sql.slice(end))
  return pieces
}
