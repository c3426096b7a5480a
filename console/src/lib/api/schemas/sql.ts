import type { Answer, Schemas } from './answer.ts'

/** What a run of SQL came to. */
export type SqlAnswer = Answer<'runSql'>

/** What one statement answered. */
export type SqlResult = Schemas['SqlResult']

/** Why a statement failed. */
export type SqlFailure = Schemas['SqlFailure']

/** A run in the operator's history. */
export type SqlRun = Schemas['SqlRun']

/** A query that the team keeps. */
export type SqlQuery = Schemas['SqlQuery']

/** Where SQL is run. */
export type SqlEngine = SqlQuery['engine']

/** The names that an editor offers. */
export type SqlCatalogue = Answer<'sqlCatalogue'>
