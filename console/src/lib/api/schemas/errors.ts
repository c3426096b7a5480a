import type { Answer, Schemas } from './answer.ts'

/** A group of exceptions, with what it comes to in a range of time. */
export type IssueSummary = Schemas['IssueSummary']

/** An issue: what its exceptions share, and who met them. */
export type IssueDetail = Answer<'error'>

/** One exception, without its stack. */
export type ExceptionSummary = Schemas['ExceptionSummary']

/** One exception with its stack. */
export type ExceptionDetail = Answer<'errorException'>

/** A call on the stack. */
export type StackFrame = Schemas['StackFrame']

/** What the team says of some exceptions. */
export type ErrorRule = Schemas['ErrorRule']
