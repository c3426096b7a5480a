import type { Answer, Schemas } from './answer.ts'

/** What a request and its answer said. */
export type Exchange = Schemas['Exchange']

/** SQL that ran for a request, with `$n` in place of values. */
export type Statement = Schemas['Statement']

/** One row's change. */
export type Change = Schemas['Change']

/** Column values in PostgreSQL's text form; an absent column is not known. */
export type Values = Readonly<Change['key']>

/** A line that a function logged for a request. */
export type FunctionLogLine = Schemas['FunctionLogLine']

/** One line of the requests list. */
export type RequestSummary = Schemas['RequestSummary']

/** One request with all it did and where it leads. */
export type RequestDetail = Answer<'request'>

/** Requests over a time. */
export type RequestSeries = Answer<'requestSeries'>

/** A statement without its values, with all its calls in a time. */
export type SlowStatement = Schemas['SlowStatement']

/** The slow statements of a time. */
export type SlowStatements = Answer<'slowStatements'>

/** The cause of a row's change. */
export type Cause = Schemas['Cause']

/** One change in a row's past and what caused it. */
export type HistoryEntry = Schemas['HistoryEntry']

/** A row's past: changes, where some may be missing, and whether any are recorded. */
export type RowPast = Answer<'rowHistory'>

/** What a request would be answered after some SQL. */
export type WhyTried = Answer<'tryOnRequest'>

/** Why a request was answered as it was. */
export type WhyAnswer = Answer<'why'>

/** What explains an answer, with statements that would change it. */
export type WhyFinding = Schemas['WhyFinding']

/** A table or view that a request touches, row by row. */
export type WhyLook = Schemas['WhyLook']

/** A span of one of the team's own servers. */
export type ServerSpan = Schemas['ServerSpan']

/** A log record of one of the team's own servers. */
export type ServerLog = Schemas['ServerLog']
export type ServerLogEntry = Schemas['ServerLogEntry']
