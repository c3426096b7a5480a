import { type Static, Type } from 'typebox'
import { findingCodes } from './finding.ts'

const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const Text = Nullable(Type.String())
const Command = Type.Enum(['select', 'insert', 'update', 'delete'])

/** What explains an answer, with statements that would change it. */
const WhyFinding = Type.Object(
  {
    code: Type.Enum([...findingCodes]),
    title: Type.String(),
    detail: Text,
    relation: Text,
    sql: Text,
  },
  { $id: 'WhyFinding' },
)

const ClauseLine = Type.Object({
  text: Type.String(),
  joined: Nullable(Type.Enum(['and', 'or', 'not'])),
  left: Text,
  right: Text,
  depth: Type.Integer({ minimum: 0 }),
})

const PolicyLine = Type.Object({
  name: Type.String(),
  permissive: Type.Boolean(),
  roles: Type.Array(Type.String()),
  isForCaller: Type.Boolean(),
  clauses: Type.Array(ClauseLine),
  problem: Text,
  /** For each row, what each clause was. */
  rows: Type.Array(
    Type.Array(
      Type.Object({
        value: Nullable(Type.Boolean()),
        left: Text,
        right: Text,
        decides: Type.Boolean({ description: 'Whether it keeps the policy from being true' }),
      }),
    ),
  ),
})

/** A table or view that a request touches, row by row. */
export const WhyLook = Type.Object(
  {
    schema: Type.String(),
    name: Type.String(),
    part: Type.Enum(['target', 'embed', 'behind']),
    command: Command,
    rowSecurity: Type.Boolean(),
    isAbove: Type.Boolean({ description: 'Whether the caller’s role is above row security' }),
    existing: Nullable(Type.Integer({ description: '10,001 stands for more than 10,000' })),
    matching: Nullable(Type.Integer()),
    visible: Nullable(Type.Integer()),
    rows: Type.Array(Type.Object({ key: Type.Record(Type.String(), Text), passes: Type.Array(Type.Boolean()) })),
    gates: Type.Array(
      Type.Object({ command: Command, asks: Type.Enum(['stored', 'written']), policies: Type.Array(PolicyLine) }),
    ),
  },
  { $id: 'WhyLook' },
)

/** Why a request was answered as it was. */
export const WhyAnswer = Type.Object(
  {
    method: Type.String(),
    path: Type.String(),
    query: Type.String(),
    role: Type.String(),
    claims: Type.Record(Type.String(), Type.Unknown()),
    recorded: Nullable(Type.Object({ status: Type.Integer(), errorCode: Text, rows: Nullable(Type.Integer()) })),
    findings: Type.Array(WhyFinding),
    looks: Type.Array(WhyLook),
  },
  { $id: 'WhyAnswer' },
)

const Body = Type.Optional(Type.String({ maxLength: 1_000_000, description: 'The JSON that was sent' }))

/** What is known of a request that was made, beside what was kept. */
export const WhyOfRequest = Type.Object({ body: Body })

/** A question about a request that might be made. */
export const WhyOfQuestion = Type.Object({
  method: Type.Enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']),
  path: Type.String({ minLength: 1, maxLength: 2048, description: 'Below /rest/v1: a table, or rpc/function' }),
  query: Type.String({ maxLength: 8192, default: '' }),
  profile: Type.Optional(Type.String({ maxLength: 200 })),
  body: Body,
  as: Type.Object({
    kind: Type.Enum(['anon', 'authenticated', 'service_role', 'user']),
    user: Type.Optional(Type.String({ maxLength: 320, description: 'E-mail address or id' })),
  }),
})

const TriedSql = Type.String({ minLength: 1, maxLength: 20_000, description: 'One statement or more' })

/** SQL to be tried before a request that was made. */
export const TryOnRequest = Type.Object({ ...WhyOfRequest.properties, sql: TriedSql })

/** SQL to be tried before a request that might be made. */
export const TryOnQuestion = Type.Object({ ...WhyOfQuestion.properties, sql: TriedSql })

/** What a request would be answered after some SQL. */
export const WhyTried = Type.Object(
  {
    rows: Nullable(Type.Integer()),
    body: Nullable(Type.String({ description: 'JSON; masked columns are masked' })),
    isCut: Type.Boolean({ description: 'There is a body, and it is longer than what is shown' }),
    problem: Nullable(
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        of: Type.Enum(['sql', 'request'], { description: 'What PostgreSQL refused' }),
      }),
    ),
  },
  { $id: 'WhyTried' },
)

/** How PostgreSQL would run a statement now. */
export const StatementPlanAnswer = Type.Object(
  {
    plan: Nullable(Type.String({ description: 'JSON of `explain (generic_plan, format json)`' })),
    problem: Nullable(
      Type.Object({ code: Type.String(), message: Type.String() }, { description: 'Why there is none' }),
    ),
    role: Type.String(),
  },
  { $id: 'StatementPlan' },
)

export type WhyAnswer = Static<typeof WhyAnswer>
export type WhyLook = Static<typeof WhyLook>
