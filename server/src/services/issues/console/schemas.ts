import { type Static, Type } from 'typebox'
import { Instant, Nullable, RowVersion } from '../../../ground/http/schemas.ts'
import { levels } from '../exception/model.ts'
import { ruleActions, ruleFields, ruleOperators } from '../exception/rules.ts'
import { historyKinds } from '../store/history.ts'
import { issueSorts, issueStates } from '../store/issues.ts'

export const IssueStateSchema = Type.Enum([...issueStates])
export const IssueSortSchema = Type.Enum([...issueSorts])
export const ranges = ['24h', '7d', '30d'] as const
export const RangeSchema = Type.Enum([...ranges])
const Level = Type.Enum([...levels])
const Text = Nullable(Type.String())

export const IssueSummary = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    culprit: Type.String({ description: 'Where it happens: function and file, or the page' }),
    level: Type.String(),
    source: Type.String({ description: 'browser, server, function, or the service that failed' }),
    state: IssueStateSchema,
    firstSeenAt: Instant,
    lastSeenAt: Instant,
    firstRelease: Text,
    lastRelease: Text,
    assignedTo: Nullable(Type.String(), { description: 'An operator’s e-mail address' }),
    cameBackAt: Nullable(Instant, { description: 'When it was opened again by an exception after it was resolved' }),
    events: Type.Integer({ description: 'In the range' }),
    people: Type.Integer({ description: 'Users and browsers in the range' }),
    sessions: Type.Integer({ description: 'In the range' }),
    parts: Type.Array(Type.Integer(), { description: 'Events in each equal part of the range, oldest first' }),
  },
  { $id: 'IssueSummary' },
)

export const IssuesPage = Type.Object({
  issues: Type.Array(IssueSummary),
  next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
  counts: Type.Object(
    { open: Type.Integer(), resolved: Type.Integer(), ignored: Type.Integer() },
    { description: 'All issues by state' },
  ),
  releases: Type.Array(Type.String(), { description: 'The newest ones, newest first' }),
})

const Share = Type.Object({ value: Type.String(), count: Type.Integer() })

const IssuePerson = Type.Object(
  {
    distinctId: Text,
    userId: Text,
    email: Text,
    name: Text,
    events: Type.Integer(),
    lastAt: Instant,
  },
  { $id: 'IssuePerson' },
)

const HistoryEntrySchema = Type.Object({
  kind: Type.Enum([...historyKinds]),
  operator: Nullable(Type.String(), { description: 'E-mail address; null for what happened by itself' }),
  details: Text,
  at: Instant,
})

export const IssueDetail = Type.Object(
  {
    issue: IssueSummary,
    daysFrom: Type.String({ format: 'date-time', description: 'When the first part begins; each is a day' }),
    message: Type.String(),
    resolvedAt: Nullable(Instant),
    resolvedInNextRelease: Type.Boolean(),
    fingerprints: Type.Array(Type.String()),
    releases: Type.Array(Share),
    browsers: Type.Array(Share),
    systems: Type.Array(Share),
    pages: Type.Array(Share),
    people: Type.Array(IssuePerson, { description: 'The latest' }),
    history: Type.Array(HistoryEntrySchema, { description: 'The latest first' }),
  },
  { $id: 'IssueDetail' },
)

export const ExceptionSummary = Type.Object(
  {
    id: Type.String(),
    at: Instant,
    source: Type.String(),
    level: Level,
    handled: Type.Boolean(),
    release: Text,
    sessionId: Text,
    windowId: Text,
    distinctId: Text,
    userId: Text,
    requestId: Text,
    url: Text,
    browser: Text,
    os: Text,
  },
  { $id: 'ExceptionSummary' },
)

export const ExceptionsPage = Type.Object({
  exceptions: Type.Array(ExceptionSummary),
  next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
})

const StackFrame = Type.Object(
  {
    file: Text,
    function: Text,
    line: Nullable(Type.Integer()),
    column: Nullable(Type.Integer()),
    inApp: Type.Boolean(),
    context: Nullable(
      Type.Object({ before: Type.Array(Type.String()), line: Type.String(), after: Type.Array(Type.String()) }),
      { description: 'Source lines; null where they are not known, or not for the operator who asks' },
    ),
    built: Nullable(Type.Object({ file: Type.String(), line: Type.Integer(), column: Type.Integer() }), {
      description: 'The place in the built file; null where no source map was used',
    }),
  },
  { $id: 'StackFrame' },
)

export const ExceptionDetail = Type.Object(
  {
    exception: ExceptionSummary,
    chain: Type.Array(
      Type.Object({
        type: Type.String(),
        message: Type.String(),
        handled: Type.Boolean(),
        frames: Type.Array(StackFrame, { description: 'Innermost call first' }),
      }),
      { description: 'Outermost exception first, its causes follow' },
    ),
    steps: Type.Array(Type.Object({ at: Text, message: Type.String() }), {
      description: 'What the application noted before, oldest first',
    }),
  },
  { $id: 'ExceptionDetail' },
)

const RuleName = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })

const RuleSchema = Type.Object(
  {
    id: Type.Optional(Type.String({ format: 'uuid' })),
    name: RuleName,
    action: Type.Enum([...ruleActions]),
    conditions: Type.Array(
      Type.Object({
        field: Type.Enum([...ruleFields]),
        operator: Type.Enum([...ruleOperators]),
        value: Type.String({ minLength: 1, maxLength: 500 }),
      }),
      { minItems: 1, maxItems: 10 },
    ),
  },
  { $id: 'ErrorRule' },
)

export const RulesBody = Type.Object({ version: RowVersion, rules: Type.Array(RuleSchema, { maxItems: 10_000 }) })

export const IssueChangeBody = Type.Object(
  {
    state: Type.Optional(IssueStateSchema),
    inNextRelease: Type.Optional(
      Type.Boolean({ description: 'Resolved: it is reopened only by a release that is first seen from now on' }),
    ),
    assigned: Type.Optional(Type.Union([Type.Literal('me'), Type.Null()])),
  },
  { minProperties: 1 },
)

export type IssueSummary = Static<typeof IssueSummary>
export type IssuesPage = Static<typeof IssuesPage>
export type IssueDetail = Static<typeof IssueDetail>
export type ExceptionSummary = Static<typeof ExceptionSummary>
export type ExceptionsPage = Static<typeof ExceptionsPage>
export type ExceptionDetail = Static<typeof ExceptionDetail>
