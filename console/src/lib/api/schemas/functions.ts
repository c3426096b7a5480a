import type { Answer, Schemas } from './answer.ts'

/** A function with the version that answers. */
export type FunctionInfo = Schemas['Function']

/** A kept version of a function. */
export type FunctionVersion = Schemas['FunctionVersion']

/** What a function was called, in parts of a time. */
export type FunctionCalls = Schemas['FunctionCalls']

/** A line of a function's log with its request. */
export type FunctionLogEntry = Schemas['FunctionLogEntry']

/** The answer to a call that an operator made. */
export type InvocationAnswer = Answer<'invokeFunction'>

/** What the settings have call a function, and whether its files can be written. */
export type FunctionTriggers = Answer<'functionTriggers'>

/** A secret that functions find in their environment, without its value. */
export type FunctionSecret = Schemas['FunctionSecret']
