import { Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'

export const Id = Type.String({ format: 'uuid' })
export const EngineName = Type.Union([Type.Literal('postgres'), Type.Literal('clickhouse')])
/** Splitting a longer text would hold the event loop. */
const Text = Type.String({ minLength: 1, maxLength: 65_536 })
const Role = Type.String({ minLength: 1, maxLength: 63 })

export const RunBody = Type.Object({
  id: Id,
  engine: EngineName,
  text: Text,
  mode: Type.Union([Type.Literal('run'), Type.Literal('explain'), Type.Literal('analyze')], {
    description: '`explain` and `analyze` answer PostgreSQL’s plan as JSON; what `analyze` changes is rolled back',
    default: 'run',
  }),
  role: Nullable(Role, { description: 'PostgreSQL’s role; null for the owner of the application' }),
  claims: Nullable(Type.Record(Type.String(), Type.Unknown()), {
    description: 'The claims of a token, as policies read them; null for none',
  }),
  readOnly: Type.Boolean({ description: 'Whether nothing may be changed; so for those who may not change data' }),
})

const Cell = Nullable(Type.String())

const SqlResult = Type.Object(
  {
    from: Type.Integer({ description: 'Where the statement begins in the text, in UTF-16 units' }),
    to: Type.Integer(),
    columns: Nullable(Type.Array(Type.Object({ name: Type.String(), type: Type.String() })), {
      description: 'Null for a statement that has no rows',
    }),
    rows: Type.Array(Type.Array(Cell), { description: 'Values as the engine’s text' }),
    rowCount: Nullable(Type.Integer(), { description: 'Null where there are more rows than the result has' }),
    command: Type.String({ description: '`INSERT`, `CREATE TABLE`' }),
    more: Type.Boolean(),
    notices: Type.Array(Type.String()),
    durationMs: Type.Number(),
  },
  { $id: 'SqlResult' },
)

const SqlFailure = Type.Object(
  {
    statement: Type.Integer({ description: 'Which statement failed, from 0' }),
    message: Type.String(),
    code: Type.String(),
    detail: Nullable(Type.String()),
    hint: Nullable(Type.String()),
    where: Nullable(Type.String()),
    position: Nullable(Type.Integer({ description: 'In the text, in UTF-16 units' })),
  },
  { $id: 'SqlFailure' },
)

const SqlChanges = Type.Object(
  {
    schema: Type.Boolean({ description: 'Whether definitions changed' }),
    tables: Type.Array(
      Type.Object({
        schema: Type.String(),
        table: Type.String(),
        inserted: Type.Integer(),
        updated: Type.Integer(),
        deleted: Type.Integer(),
      }),
    ),
  },
  { $id: 'SqlChanges', description: 'What a run has changed, by triggers too' },
)

export const SqlAnswer = Type.Object({
  id: Type.String(),
  state: Type.Union([Type.Literal('done'), Type.Literal('pending'), Type.Literal('failed')], {
    description: '`pending`: what it changed waits to be committed or rolled back',
  }),
  results: Type.Array(SqlResult),
  failure: Nullable(SqlFailure),
  changes: Nullable(SqlChanges),
  expiresAt: Nullable(Instant, { description: 'When what is pending is rolled back' }),
  alone: Type.Boolean({ description: 'Whether it ran outside a transaction, and so is committed' }),
})

export const Decided = Type.Object({
  failure: Nullable(Type.String(), { description: 'Why the database refused; nothing is changed then' }),
})

export const SqlCatalogue = Type.Object({
  tables: Type.Array(
    Type.Object({
      schema: Type.String(),
      name: Type.String(),
      columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
    }),
  ),
  functions: Type.Array(Type.Object({ schema: Type.String(), name: Type.String() })),
  roles: Type.Array(Type.String(), { description: 'The roles that statements may run as, the owner first' }),
})

export const SqlRun = Type.Object(
  {
    id: Type.String(),
    at: Instant,
    engine: EngineName,
    role: Nullable(Type.String()),
    text: Type.String({ description: 'Without passwords' }),
    state: Type.Enum(['done', 'pending', 'committed', 'rolled back', 'failed']),
    durationMs: Type.Number(),
    rows: Nullable(Type.Integer()),
    error: Nullable(Type.String()),
  },
  { $id: 'SqlRun' },
)

export const QueryBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  engine: EngineName,
  text: Text,
})

export const SqlQuery = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    engine: EngineName,
    text: Type.String(),
    createdBy: Type.String(),
    updatedBy: Type.String(),
    updatedAt: Instant,
  },
  { $id: 'SqlQuery', description: 'A query that the team keeps' },
)
