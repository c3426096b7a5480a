import type { operations } from '../api.gen.ts'
import type { Answer, Schemas } from './answer.ts'

/** The data of Home; the last 60 minutes, oldest first, none left out. */
export type Overview = Answer<'overview'>

/** How many are here now. */
export type Presence = Answer<'presence'>

/** The last day by the hour, and the hour before it. */
export type OverviewDay = Answer<'overviewDay'>

/** The running instance: where it is and what to paste. */
export type Instance = Answer<'getInstance'>

/** One engine's health. */
export type Engine = Instance['engines'][number]

/** A migration of the project folder, of the database, or of both. */
export type Migration = Schemas['Migration']

/** Why a migration was not applied. */
export type MigrationFailure = Schemas['MigrationFailure']

/** The project folder and its migrations, the newest first. */
export type MigrationsAnswer = Answer<'migrations'>

/** A copy of the instance. */
export type Backup = Schemas['Backup']

/** Backups, the newest first, and what the schedule does. */
export type BackupsAnswer = Answer<'backups'>

/** An export to a bucket by a schedule. */
export type ScheduledExport = Schemas['ScheduledExport']

/** What is defined of an export; its secret only where it is new. */
export type ExportBody = operations['createExport']['requestBody']['content']['application/json']

/** One run of an export. */
export type ExportRun = Schemas['ExportRun']

/** Something that the database should not have. */
export type Advice = Schemas['Advice']

/** Something that the search found, of one kind. */
export type SearchHit = Schemas['SearchHit']

/** The kinds of what the search finds. */
export type SearchKind = Answer<'search'>['groups'][number]['kind']
