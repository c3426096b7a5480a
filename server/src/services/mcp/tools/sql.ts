import { isObject, type JsonObject, objectOf } from '../../../ground/json/object.ts'
import type { CallConsole } from '../call.ts'
import type { McpSettings } from '../settings.ts'
import type { Tool } from './tool.ts'

/** Statements of an agent, run as those that an operator types in the console's SQL editor. */
export function sqlTool({ sqlWrites, maxRows }: Pick<McpSettings, 'sqlWrites' | 'maxRows'>, newId: () => string): Tool {
  const rule = sqlWrites ? 'What it changes is committed at once.' : 'It only reads: in a read-only transaction.'
  return {
    name: 'run_sql',
    title: 'Run SQL',
    description:
      `Runs statements in PostgreSQL (the application's data) or ClickHouse (table events: analytics), as one transaction. ` +
      `${rule} At most ${maxRows} rows are answered.`,
    right: 'query',
    isReadOnly: !sqlWrites,
    input: {
      type: 'object',
      properties: {
        sql: { type: 'string', minLength: 1, maxLength: 65_536, description: 'One or several statements' },
        engine: { enum: ['postgres', 'clickhouse'], default: 'postgres' },
        mode: {
          enum: ['run', 'explain', 'analyze'],
          default: 'run',
          description: '`explain` and `analyze` answer PostgreSQL’s plan; what `analyze` changes is rolled back',
        },
        role: { type: 'string', description: 'A PostgreSQL role such as anon or authenticated; the owner by default' },
        claims: {
          type: 'object',
          description: 'Claims of a token, as policies read them: {"sub":"…","role":"authenticated"}',
        },
      },
      required: ['sql'],
      additionalProperties: false,
    },
    // The text stands in the entry of the run itself, without the passwords that it sets.
    target: ({ engine = 'postgres' }) => `SQL in ${String(engine)}`,
    async call({ sql, engine = 'postgres', mode = 'run', role = null, claims = null }, console) {
      const id = newId()
      const body = { id, text: sql, engine, mode, role, claims, readOnly: !sqlWrites }
      const answer = objectOf(await console({ method: 'POST', path: '/sql/runs', body })) ?? {}
      const results = Array.isArray(answer.results) ? answer.results.filter(isObject).map(renderResult(maxRows)) : []
      const { failure, changes } = answer
      if (isObject(failure)) return { failure: renderFailure(failure, sqlWrites), results }
      if (answer.state !== 'pending') return { results }
      return { results, changes, ...(await commit(console, id)) }
    },
  }
}

const renderResult =
  (maxRows: number) =>
  ({ columns, rows, more, command, rowCount, notices }: JsonObject): JsonObject => {
    const found = Array.isArray(rows) ? rows : []
    return {
      ...{ command, columns, rowCount, notices },
      rows: found.slice(0, maxRows),
      more: more === true || found.length > maxRows,
    }
  }

/** PostgreSQL's own refusal, with what lets agents write. */
const renderFailure = (failure: JsonObject, sqlWrites: boolean): JsonObject =>
  sqlWrites || failure.code !== readOnlyTransaction
    ? failure
    : { ...failure, hint: 'Agents only read here. An owner of the server can set sql_writes of [mcp].' }

/** `read_only_sql_transaction`. */
const readOnlyTransaction = '25006'

/** Keeps what a run changed: an agent has no other moment to say so. */
async function commit(console: CallConsole, id: string): Promise<JsonObject> {
  const { failure = null } = objectOf(await console({ method: 'POST', path: `/sql/runs/${id}/commit` })) ?? {}
  return { committed: failure === null, ...(failure === null ? {} : { failure }) }
}
